//! Params that many methods share.

use crate::Meta;
use crate::open::open_object;

open_object! {
    /// Params without members of their own (`RequestParams`, `NotificationParams`): `ping`, `server/discover`,
    /// `roots/list`, and the notifications that only say that something happened.
    pub struct BareParams {
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Which page of a list is wanted.
    pub struct PageParams {
        /// Where the page before said the next one begins; opaque, and an empty string is one too.
        optional cursor: String = "cursor",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Which resource is meant (`ResourceRequestParams`): legacy `resources/subscribe` and
    /// `resources/unsubscribe`, and `notifications/resources/updated`, which may name a part of it.
    pub struct ResourceParams {
        /// The resource's address.
        required uri: String = "uri",
        /// Anything more; in the modern era the `subscriptionId`.
        optional meta: Meta = "_meta",
    }
}
