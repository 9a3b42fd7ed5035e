// A server made with the official TypeScript SDK that wants a token of somebody else: `resource.mjs PORT ISSUER`.
//
// It asks the issuer what a token is good for. Everything needs the scope `read`, and the tool `writes` needs `write`.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { mcpAuthMetadataRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';

const [port, issuer] = process.argv.slice(2);
const resource = new URL(`http://127.0.0.1:${port}/mcp`);
const oauthMetadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

async function verifyAccessToken(token) {
  const authorization = `Basic ${btoa('resource-server:resource-server-secret')}`;
  const asked = { method: 'POST', headers: { authorization }, body: new URLSearchParams({ token }) };
  const found = await (await fetch(oauthMetadata.introspection_endpoint, asked)).json();
  if (!found.active) throw new InvalidTokenError('it is not active');
  const { client_id: clientId, scope, exp: expiresAt, aud, sub } = found;
  return { token, clientId, scopes: scope.split(' '), expiresAt, resource: new URL(aud), extra: { sub } };
}

const guard = (...requiredScopes) => requireBearerAuth({
  verifier: { verifyAccessToken },
  requiredScopes,
  expectedResource: resource,
  resourceMetadataUrl: `${resource.origin}/.well-known/oauth-protected-resource/mcp`,
});
const [reads, writes] = [guard('read'), guard('read', 'write')];

function server() {
  const made = new McpServer({ name: 'guarded', version: '1' });
  const says = text => ({ content: [{ type: 'text', text }] });
  made.registerTool('who', {}, ({ authInfo }) => says(authInfo.extra.sub));
  made.registerTool('writes', {}, ({ authInfo }) => says(`${authInfo.extra.sub} wrote`));
  return made;
}

const app = express();
app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: resource, scopesSupported: ['read'] }));
app.use(express.json());
app.use('/mcp', (request, response, next) => {
  (request.body?.params?.name === 'writes' ? writes : reads)(request, response, next);
});
app.post('/mcp', async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => transport.close());
  await server().connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.all('/mcp', (_, response) => response.status(405).end());
app.listen(Number(port), '127.0.0.1');
