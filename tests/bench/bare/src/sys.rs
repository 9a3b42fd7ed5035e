//! What std does not have: waiting for several descriptors, this process's CPU clock, and a quick look for a byte.
#![expect(unsafe_code, reason = "std has no safe way, and no other crate is to be in the numbers")]

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

unsafe extern "C" {
    fn epoll_create1(flags: i32) -> i32;
    fn epoll_ctl(epoll: i32, operation: i32, descriptor: i32, event: *mut Event) -> i32;
    fn epoll_wait(epoll: i32, events: *mut Event, most: i32, timeout: i32) -> i32;
    fn fcntl(descriptor: i32, command: i32, argument: i32) -> i32;
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    fn memchr(bytes: *const u8, wanted: i32, count: usize) -> *const u8;
}

/// As the kernel has it: packed where that was the habit.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(target_arch = "x86_64", repr(C, packed))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C))]
struct Event {
    flags: u32,
    key: u64,
}

const CLOSE_ON_EXEC: i32 = 0o2_000_000;
const ADD: i32 = 1;
const CHANGE: i32 = 3;
const IN: u32 = 1;
const OUT: u32 = 4;
const SET_FLAGS: i32 = 4;
const NONBLOCKING: i32 = 0o4000;
const PROCESS_CPU: i32 = 2;

/// What a descriptor is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum For {
    /// Its end alone.
    Nothing,
    /// Something to read.
    Reading,
    /// Something to read, or room to write.
    Both,
    /// Room to write.
    Writing,
}

/// Waits for many descriptors at once. Each has a key.
#[derive(Debug)]
pub(crate) struct Poll {
    epoll: OwnedFd,
    events: Vec<Event>,
}

impl Poll {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: it takes no pointer.
        let descriptor = checked(unsafe { epoll_create1(CLOSE_ON_EXEC) })?;
        // SAFETY: it was just made and belongs to nobody else.
        let epoll = unsafe { OwnedFd::from_raw_fd(descriptor) };
        Ok(Self { epoll, events: vec![Event { flags: 0, key: 0 }; 512] })
    }

    pub(crate) fn add(&self, descriptor: impl AsFd, key: u64, what: For) -> io::Result<()> {
        self.control(ADD, descriptor, key, what)
    }

    pub(crate) fn change(&self, descriptor: impl AsFd, key: u64, what: For) -> io::Result<()> {
        self.control(CHANGE, descriptor, key, what)
    }

    fn control(&self, operation: i32, descriptor: impl AsFd, key: u64, what: For) -> io::Result<()> {
        let flags = match what {
            For::Nothing => 0,
            For::Reading => IN,
            For::Both => IN | OUT,
            For::Writing => OUT,
        };
        let mut event = Event { flags, key };
        let descriptor = descriptor.as_fd().as_raw_fd();
        // SAFETY: the event is read during the call alone, and both descriptors are borrowed.
        checked(unsafe { epoll_ctl(self.epoll.as_raw_fd(), operation, descriptor, &raw mut event) })?;
        Ok(())
    }

    /// The keys of those that are ready, after waiting for the first.
    pub(crate) fn wait(&mut self) -> io::Result<impl Iterator<Item = u64>> {
        let most = i32::try_from(self.events.len()).expect("it is small");
        // SAFETY: there is room for so many events.
        let count =
            checked(unsafe { epoll_wait(self.epoll.as_raw_fd(), self.events.as_mut_ptr(), most, -1) })?;
        Ok(self.events[..usize::try_from(count).expect("it was checked")].iter().map(|event| event.key))
    }
}

/// Makes reading and writing fail where they would wait.
pub(crate) fn never_waits(descriptor: impl AsFd) -> io::Result<()> {
    // SAFETY: it takes no pointer; the way it was opened for cannot be changed and is ignored.
    checked(unsafe { fcntl(descriptor.as_fd().as_raw_fd(), SET_FLAGS, NONBLOCKING) })?;
    Ok(())
}

/// What this process has used of the CPU, its children apart.
pub(crate) fn cpu() -> Duration {
    let mut time = [0; 2];
    // SAFETY: on every Linux with 64 bits a time is two numbers of 64 bits.
    if unsafe { clock_gettime(PROCESS_CPU, &raw mut time) } != 0 {
        return Duration::ZERO;
    }
    let [seconds, nanos] = time.map(|part| u64::try_from(part).unwrap_or(0));
    Duration::from_secs(seconds) + Duration::from_nanos(nanos)
}

/// Where the first byte of this value is: as fast as the C library can, since a slow server would flatter every client.
pub(crate) fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    // SAFETY: so many bytes are there.
    let found = unsafe { memchr(bytes.as_ptr(), i32::from(wanted), bytes.len()) };
    (!found.is_null()).then(|| found.addr() - bytes.as_ptr().addr())
}

fn checked(answer: i32) -> io::Result<i32> {
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn who_is_ready_is_told_by_its_key() {
        let mut poll = Poll::new().unwrap();
        let (reader, mut writer) = io::pipe().unwrap();
        poll.add(&reader, 7, For::Reading).unwrap();
        poll.add(&writer, 8, For::Nothing).unwrap();
        writer.write_all(b"x").unwrap();
        assert_eq!(poll.wait().unwrap().collect::<Vec<_>>(), [7]);
        poll.change(&writer, 8, For::Writing).unwrap();
        let mut both: Vec<_> = poll.wait().unwrap().collect();
        both.sort_unstable();
        assert_eq!(both, [7, 8]);
    }

    #[test]
    fn a_full_pipe_fails_instead_of_waiting() {
        let (_reader, mut writer) = io::pipe().unwrap();
        never_waits(&writer).unwrap();
        let fault = writer.write_all(&[0; 1 << 22]).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn the_first_of_its_value_is_found() {
        assert_eq!(find(b"", b'x'), None);
        assert_eq!(find(b"abc", b'x'), None);
        assert_eq!(find(b"axbx", b'x'), Some(1));
    }

    #[test]
    fn work_shows_on_the_clock() {
        let before = cpu();
        while cpu() - before < Duration::from_millis(1) {}
        assert!(cpu() > before);
    }
}
