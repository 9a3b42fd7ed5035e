//! A person with a browser that has no screen: it goes where it is sent, and they type in what forms ask for.

use std::collections::BTreeMap;

use url::Url;

use super::plain::{Answer, ask};

/// No login has more pages.
const PAGES: usize = 20;

/// Who logs in, and what their browser knows of them.
pub(super) struct Visitor {
    account: String,
    /// Cookies by the port and the path that they are for, and their name.
    cookies: BTreeMap<(u16, String, String), String>,
    /// The forms that were filled in, by what they asked for.
    pub(super) asked: Vec<String>,
}

/// Where a visit ended.
pub(super) struct Visited {
    /// The last address.
    pub(super) url: Url,
    pub(super) page: Answer,
}

impl Visitor {
    /// Somebody whose browser is new.
    pub(super) fn new(account: &str) -> Self {
        Self { account: account.to_owned(), cookies: BTreeMap::new(), asked: Vec::new() }
    }

    /// Goes to an address and on from there, until a page asks for nothing.
    pub(super) async fn visit(&mut self, url: &Url) -> Result<Visited, String> {
        self.go(url, None).await
    }

    /// The same, but does not follow to what begins with `end`: the address that it would have gone to.
    pub(super) async fn visit_until(&mut self, url: &Url, end: &str) -> Result<Url, String> {
        Ok(self.go(url, Some(end)).await?.url)
    }

    /// Goes to an address, and calls off what the first page asks for.
    pub(super) async fn refuse(&mut self, url: &Url) -> Result<Visited, String> {
        let first =
            self.go(url, Some(&format!("{}/interaction", url.origin().ascii_serialization()))).await?;
        let abort = format!("{}/abort", first.url).parse().map_err(|error| format!("{error}"))?;
        self.go(&abort, None).await
    }

    async fn go(&mut self, url: &Url, end: Option<&str>) -> Result<Visited, String> {
        let (mut url, mut form) = (url.clone(), None);
        for _ in 0..PAGES {
            let page = self.load(&url, form.take()).await?;
            let to = page.headers("location").next().map(str::to_owned);
            if let Some(to) = to {
                url = url.join(&to).map_err(|error| format!("{to}: {error}"))?;
                if end.is_some_and(|end| url.as_str().starts_with(end)) {
                    return Ok(Visited { url, page });
                }
            } else if let Some((to, prompt)) = asks(&page.body) {
                url = url.join(&to).map_err(|error| format!("{to}: {error}"))?;
                self.asked.push(prompt.clone());
                form = Some(prompt);
            } else {
                return Ok(Visited { url, page });
            }
        }
        Err(format!("it never ends; the forms were {:?}", self.asked))
    }

    async fn load(&mut self, url: &Url, form: Option<String>) -> Result<Answer, String> {
        let port = url.port().unwrap_or_default();
        let ours =
            self.cookies.iter().filter(|((of, path, _), _)| *of == port && url.path().starts_with(&**path));
        let cookies: Vec<String> = ours.map(|((_, _, name), value)| format!("{name}={value}")).collect();
        let mut headers = format!("Cookie: {}\r\nAccept: text/html\r\n", cookies.join("; "));
        let page = match form {
            None => ask("GET", url, &headers, "").await?,
            Some(prompt) => {
                let form = [("prompt", &*prompt), ("login", &self.account), ("password", "anything")];
                let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
                headers += "Content-Type: application/x-www-form-urlencoded\r\n";
                ask("POST", url, &headers, &body).await?
            }
        };
        for cookie in page.headers("set-cookie") {
            self.keep(port, cookie);
        }
        Ok(page)
    }

    fn keep(&mut self, port: u16, cookie: &str) {
        let mut parts = cookie.split("; ");
        let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { return };
        let path = parts.find_map(|part| part.strip_prefix("path=")).unwrap_or("/");
        let key = (port, path.to_owned(), name.to_owned());
        match value.is_empty() {
            true => self.cookies.remove(&key),
            false => self.cookies.insert(key, value.to_owned()),
        };
    }
}

/// Where a page's form goes, and what it asks for.
fn asks(page: &str) -> Option<(String, String)> {
    let within = |text: &str, before: &str| {
        let (_, rest) = text.split_once(before)?;
        Some(rest.split_once('"')?.0.replace("&amp;", "&"))
    };
    let (_, form) = page.split_once("<form")?;
    Some((within(form, "action=\"")?, within(form, "name=\"prompt\" value=\"")?))
}
