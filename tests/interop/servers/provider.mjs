// An authorization server made with oidc-provider: `provider.mjs PORT SECONDS FORMAT`.
//
// Access tokens are good for so many seconds and are of that format (`opaque` or `jwt`). Whoever types in a name is
// that person. For the check that started it there are `/-/seen`, what it was asked and what it answered, secrets
// included, `/-/end?TOKEN`, which ends an access token before its time, and `/-/last?SECONDS`, after which tokens are
// good for so long.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [port, first, format] = process.argv.slice(2);
let seconds = Number(first);
const seen = [];

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: 'resource-server',
    client_secret: 'resource-server-secret',
    redirect_uris: [],
    response_types: [],
    grant_types: [],
  }],
  features: {
    introspection: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'read write',
        audience: resource,
        accessTokenTTL: seconds,
        accessTokenFormat: format,
      }),
    },
  },
});

provider.use(async (ctx, next) => {
  await next();
  const { path, status, oidc, body } = ctx;
  const answered = typeof body === 'object' && typeof body?.pipe !== 'function' ? body : null;
  if (path !== '/token/introspection') {
    seen.push({ path, status, asked: { ...oidc?.params, ...oidc?.body }, answered });
  }
});

const answer = provider.callback();
createServer(async (request, response) => {
  const [path, given] = request.url.split('?');
  if (path === '/-/end') {
    await (await provider.AccessToken.find(given)).destroy();
  } else if (path === '/-/last') {
    seconds = Number(given);
  } else if (path !== '/-/seen') {
    return answer(request, response);
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(seen));
}).listen(Number(port), '127.0.0.1');
