//! The steps of a login to a client of ours: one that is kept, or another registration.

use codewhale_mcp_net::Fetched;

use super::login::{Candidate, Go, Gone, Naming, Stage, Target};
use super::{Ask, Grant};
use crate::LoginError;
use crate::discovery::IssuerMetadata;
use crate::object;
use crate::registration::{Registration, minds_scopes, registered, registration_call};
use crate::world::World;

impl Go {
    pub(super) fn recalled(self, target: Target, kept: Option<Registration>, world: &dyn World) -> Gone {
        let kept = kept.filter(|kept| kept.is_good(world.now()) && kept.covers(&target.scopes));
        if matches!(self.settings.grant, Grant::Device) {
            return match kept.filter(|kept| kept.redirect_uris.is_empty()) {
                Some(kept) => self.has_client(target, None, kept.into(), world),
                None => self.register(target, None, Naming::Scopes),
            };
        }
        target.found.issuer.authorization_endpoint()?;
        let registered = kept.as_ref().and_then(|kept| kept.redirect_uris.first().cloned());
        let candidate = kept.map_or(Candidate::Unknown, Candidate::Kept);
        Ok(self.on(Stage::Landed(target, candidate), Ask::Land { registered }))
    }

    pub(super) fn landed(self, target: Target, candidate: Candidate, uri: String, world: &dyn World) -> Gone {
        match candidate {
            Candidate::Known(client) => self.has_client(target, Some(uri), client, world),
            Candidate::Kept(kept) if kept.redirect_uris.contains(&uri) => {
                self.has_client(target, Some(uri), kept.into(), world)
            }
            Candidate::Kept(_) | Candidate::Unknown => self.register(target, Some(uri), Naming::Scopes),
        }
    }

    pub(super) fn register(self, target: Target, uri: Option<String>, naming: Naming) -> Gone {
        let scope = target.scopes.parameter().filter(|_| naming == Naming::Scopes);
        let issuer = &target.found.issuer;
        let call = registration_call(&self.settings.names, issuer, uri.as_deref(), scope.as_deref())?;
        Ok(self.on(Stage::Registered(target, uri, naming), Ask::Http(call)))
    }

    pub(super) fn registered(
        self,
        target: Target,
        uri: Option<String>,
        naming: Naming,
        answer: &Fetched,
    ) -> Gone {
        let issuer = &target.found.issuer;
        // Nothing said that there is anything: it was worth a try. A server that wants a token for every address, and gives
        // none, turns this away too.
        let assumed = IssuerMetadata::assumed(&issuer.issuer);
        let is_none =
            matches!(answer.status.as_u16(), 401 | 403 | 404 | 405) || object::read(&answer.body).is_err();
        if *issuer == assumed && is_none {
            let tried = assumed.registration_endpoint.into_iter().collect();
            return Err(LoginError::ServerOffersNone { tried });
        }
        if naming == Naming::Scopes && !target.scopes.is_empty() && minds_scopes(answer) {
            return self.register(target, uri, Naming::Nothing);
        }
        let scope = target.scopes.parameter().filter(|_| naming == Naming::Scopes);
        let registration = registered(&issuer.issuer, uri.as_deref(), scope.as_deref(), answer)?;
        let ask = Ask::Keep { issuer: issuer.issuer.clone(), registration: Some(registration.clone()) };
        Ok(self.on(Stage::Kept(target, uri, registration.into()), ask))
    }
}
