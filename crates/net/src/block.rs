//! Blocks of IP addresses (CIDR, RFC 4632).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The addresses that begin with the same bits. A single address is a block of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    first: IpAddr,
    length: u8,
}

impl Block {
    /// The addresses that share their first `length` bits with `address`; `None` when it has fewer bits.
    ///
    /// A block of IPv4-mapped addresses (`::ffff:0:0/96` and within, RFC 4291 section 2.5.5.2) is the block of the
    /// IPv4 addresses in them.
    #[must_use]
    pub fn new(address: IpAddr, length: u8) -> Option<Self> {
        match address {
            IpAddr::V4(v4) => (length <= 32).then(|| Self { first: v4_start(v4, length).into(), length }),
            IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
                Some(v4) if (96..=128).contains(&length) => Self::new(v4.into(), length - 96),
                _ => (length <= 128).then(|| Self { first: v6_start(v6, length).into(), length }),
            },
        }
    }

    /// Whether an address belongs to the block. An IPv4-mapped one does as the IPv4 address in it, too.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        [address, address.to_canonical()].into_iter().any(|address| match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => v4_start(address, self.length) == first,
            (IpAddr::V6(first), IpAddr::V6(address)) => v6_start(address, self.length) == first,
            _ => false,
        })
    }
}

impl From<IpAddr> for Block {
    fn from(address: IpAddr) -> Self {
        let first = address.to_canonical();
        Self { first, length: if first.is_ipv4() { 32 } else { 128 } }
    }
}

/// A text is no block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no block of addresses such as 10.0.0.0/8")]
pub struct NoBlock;

impl FromStr for Block {
    type Err = NoBlock;

    /// Reads `address` and `address/length`; the address of an IPv6 block may stand in brackets. Bits behind the
    /// length may be set and do not count.
    fn from_str(text: &str) -> Result<Self, NoBlock> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text, None),
        };
        let bare = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let address: IpAddr = match bare {
            Some(v6) => v6.parse::<Ipv6Addr>().map_err(|_| NoBlock)?.into(),
            None => address.parse().map_err(|_| NoBlock)?,
        };
        let Some(length) = length else { return Ok(address.into()) };
        // `u8` reads `+8` too.
        let digits = length.bytes().all(|byte| byte.is_ascii_digit());
        let length = length.parse().ok().filter(|_| digits).ok_or(NoBlock)?;
        Self::new(address, length).ok_or(NoBlock)
    }
}

fn v4_start(address: Ipv4Addr, length: u8) -> Ipv4Addr {
    let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
    Ipv4Addr::from_bits(address.to_bits() & mask)
}

fn v6_start(address: Ipv6Addr, length: u8) -> Ipv6Addr {
    let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or(0);
    Ipv6Addr::from_bits(address.to_bits() & mask)
}
