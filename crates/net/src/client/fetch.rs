//! Whole documents.

use std::future::poll_fn;

use async_trait::async_trait;
use bytes::BytesMut;
use url::Url;

use super::egress::Egress;
use crate::{Call, Fetch, Fetched, NetError};

#[async_trait]
impl Fetch for Egress {
    async fn fetch(&self, call: Call, limit: usize) -> Result<Fetched, NetError> {
        let mut response = self.send(call, None).await?;
        let mut body = BytesMut::new();
        while let Some(chunk) = poll_fn(|context| response.body.poll_chunk(context)).await {
            let chunk = chunk?;
            if body.len() + chunk.len() > limit {
                return Err(NetError::TooLong { what: "body", limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Fetched { status: response.status, headers: response.headers, body: body.freeze() })
    }

    fn judge(&self, url: &Url) -> Result<(), NetError> {
        Ok(self.guard.judge_written(url, self.purpose)?)
    }

    async fn judge_resolved(&self, url: &Url) -> Result<(), NetError> {
        let permit = self.guard.permit(url, self.purpose)?;
        self.unless_closed(self.connector.judge(&permit)).await?
    }
}
