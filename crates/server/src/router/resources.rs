//! Resources: functions, and what clients are told of them.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codewhale_mcp_protocol::{
    Annotations, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Verbatim,
};

use super::uri_template::{UriTemplate, Variables};
use crate::{BuildError, Context, Failure, Handling, Reply};

type Read<T> = Box<dyn Fn(T, Context) -> Handling + Send + Sync>;

/// A resource and what reads it: see [`resource`].
#[must_use = "a resource is offered by a server"]
pub struct ResourceRoute {
    pub(super) resource: Resource,
    /// Whether it stands in the list; it can be read all the same.
    pub(super) listed: Listed,
    read: Read<Option<String>>,
}

/// Whether a resource stands in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    Yes,
    No,
}

/// Resources with addresses of one form, and what reads them: see [`template`].
#[must_use = "a template is offered by a server"]
pub struct TemplateRoute {
    pub(super) template: ResourceTemplate,
    form: UriTemplate,
    read: Read<(Variables, Option<String>)>,
}

/// What a resource's function may answer.
pub trait ResourceOutput {
    /// The result, for a resource with this address and media type.
    fn into_result(self, uri: &str, mime_type: Option<String>) -> ReadResourceResult;
}

impl ResourceOutput for ReadResourceResult {
    fn into_result(self, _: &str, _: Option<String>) -> ReadResourceResult {
        self
    }
}

impl ResourceOutput for ResourceContents {
    fn into_result(self, _: &str, _: Option<String>) -> ReadResourceResult {
        ReadResourceResult { contents: vec![self], ..ReadResourceResult::default() }
    }
}

/// Text.
impl ResourceOutput for String {
    fn into_result(self, uri: &str, mime_type: Option<String>) -> ReadResourceResult {
        let text = Some(self);
        let contents =
            ResourceContents { uri: uri.to_owned(), mime_type, text, ..ResourceContents::default() };
        contents.into_result(uri, None)
    }
}

/// Bytes, which are no text.
impl ResourceOutput for Vec<u8> {
    fn into_result(self, uri: &str, mime_type: Option<String>) -> ReadResourceResult {
        let blob = Some(STANDARD.encode(self));
        let contents =
            ResourceContents { uri: uri.to_owned(), mime_type, blob, ..ResourceContents::default() };
        contents.into_result(uri, None)
    }
}

/// A resource: its address, a name for programs, and what reads it.
pub fn resource<R, F, Fut>(uri: impl Into<String>, name: impl Into<String>, function: F) -> ResourceRoute
where
    R: ResourceOutput,
    F: Fn(Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, Failure>> + Send + 'static,
{
    let resource = Resource { uri: uri.into(), name: name.into(), ..Resource::default() };
    let uri = resource.uri.clone();
    let read = move |mime_type: Option<String>, context: Context| {
        let (contents, uri) = (function(context), uri.clone());
        Handling::later(async move { Ok(Reply::from(contents.await?.into_result(&uri, mime_type))) })
    };
    ResourceRoute { resource, listed: Listed::Yes, read: Box::new(read) }
}

/// Resources with addresses of one form (RFC 6570: `{name}`, and `{+name}` where slashes may stand), a name for programs,
/// and what reads them. An address for which there is nothing is a [`Failure::resource_not_found`].
///
/// # Errors
/// When the template is not understood.
pub fn template<R, F, Fut>(
    uri_template: impl Into<String>,
    name: impl Into<String>,
    function: F,
) -> Result<TemplateRoute, BuildError>
where
    R: ResourceOutput,
    F: Fn(Variables, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, Failure>> + Send + 'static,
{
    let template = ResourceTemplate {
        uri_template: uri_template.into(),
        name: name.into(),
        ..ResourceTemplate::default()
    };
    let fault = |reason| BuildError::Template { template: template.uri_template.clone(), reason };
    let form = UriTemplate::parse(&template.uri_template).map_err(fault)?;
    let read = move |(variables, mime_type): (Variables, Option<String>), context: Context| {
        let uri = variables.uri().to_owned();
        let contents = function(variables, context);
        Handling::later(async move { Ok(Reply::from(contents.await?.into_result(&uri, mime_type))) })
    };
    Ok(TemplateRoute { template, form, read: Box::new(read) })
}

macro_rules! described {
    ($($route:ident.$field:ident),*) => { $(
        impl $route {
            /// A name for people.
            pub fn title(mut self, title: impl Into<String>) -> Self {
                self.$field.title = Some(title.into());
                self
            }

            /// What it is.
            pub fn description(mut self, description: impl Into<String>) -> Self {
                self.$field.description = Some(description.into());
                self
            }

            /// Its media type.
            pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
                self.$field.mime_type = Some(mime_type.into());
                self
            }

            /// For whom it is and how much it matters.
            pub fn annotations(mut self, annotations: &Annotations) -> Self {
                self.$field.annotations = Some(Verbatim::from(annotations));
                self
            }
        }
    )* };
}

described!(ResourceRoute.resource, TemplateRoute.template);

impl fmt::Debug for ResourceRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceRoute").field("resource", &self.resource).finish_non_exhaustive()
    }
}

impl ResourceRoute {
    /// It can be read and does not stand in the list: whoever is to read it learns its address elsewhere.
    pub fn unlisted(mut self) -> Self {
        self.listed = Listed::No;
        self
    }

    pub(super) fn read(&self, context: Context) -> Handling {
        (self.read)(self.resource.mime_type.clone(), context)
    }
}

impl TemplateRoute {
    /// Reads a resource, if its address has this form.
    pub(super) fn read(&self, uri: &str, context: &Context) -> Option<Handling> {
        let variables = self.form.matches(uri)?;
        Some((self.read)((variables, self.template.mime_type.clone()), context.clone()))
    }
}
