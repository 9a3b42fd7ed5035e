//! Which checks of logins there are.

use super::{certified, chromium, keyring, own};
use crate::check::Check;
use crate::world::World;

pub(crate) fn checks(world: &World) -> Vec<Check> {
    let mut all = certified::checks();
    all.extend(own::checks());
    if world.gnome_keyring {
        all.extend(keyring::checks());
    }
    if world.chromium.is_some() {
        all.extend(chromium::pages());
        all.extend(chromium::life());
    }
    all
}
