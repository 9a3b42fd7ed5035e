//! Where a request goes, once it was judged.

use std::sync::{Arc, Mutex, PoisonError};

use http::uri::PathAndQuery;
use http::{HeaderValue, Uri};
use url::{Position, Url};

use super::pool::Pool;
use crate::{Guard, NetError, Permit, Purpose, Route, Scheme};

/// So many are remembered: messages go to one URL.
const KNOWN: usize = 4;

/// A URL that the guard permits, in the forms that requests need.
#[derive(Debug)]
pub(super) struct Destination {
    url: Url,
    pub(super) permit: Permit,
    /// Where its connections are.
    pub(super) place: usize,
    /// All of it.
    pub(super) whole: Uri,
    /// What HTTP/1 says of it in a request's first line.
    pub(super) target: Uri,
    pub(super) host: HeaderValue,
}

impl Destination {
    fn new(url: &Url, guard: &Guard, purpose: Purpose, pool: &Pool) -> Result<Self, NetError> {
        let permit = guard.permit(url, purpose)?;
        let no = |error: http::Error| NetError::NoRequest { reason: error.to_string() };
        let origin = permit.origin().to_string();
        let path = &url[Position::BeforePath..Position::AfterQuery];
        let whole: Uri =
            format!("{origin}{path}").try_into().map_err(|error| no(http::Error::from(error)))?;
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        let host = HeaderValue::try_from(host).map_err(|error| no(error.into()))?;
        let path: PathAndQuery = whole.path_and_query().cloned().unwrap_or(PathAndQuery::from_static("/"));
        let place = pool.place(permit.origin());
        let mut it = Self { url: url.clone(), permit, place, target: path.into(), whole, host };
        if it.is_asked_of_a_proxy() {
            it.target = it.whole.clone();
        }
        Ok(it)
    }

    /// Whether a proxy reads the request itself, and passes it on.
    pub(super) fn is_asked_of_a_proxy(&self) -> bool {
        matches!(self.permit.route(), Route::Through(_)) && self.permit.origin().scheme() == Scheme::Http
    }
}

/// The URLs that one guard has judged for one purpose. It would say the same of each again.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Vec<Arc<Destination>>>);

impl Known {
    /// The guard's word on a URL.
    pub(super) fn judge(
        &self,
        url: &Url,
        guard: &Guard,
        purpose: Purpose,
        pool: &Pool,
    ) -> Result<Arc<Destination>, NetError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known.iter().find(|it| it.url == *url) {
            return Ok(Arc::clone(it));
        }
        let it = Arc::new(Destination::new(url, guard, purpose, pool)?);
        if known.len() == KNOWN {
            known.remove(0);
        }
        known.push(Arc::clone(&it));
        Ok(it)
    }
}
