// A client made with the official TypeScript SDK, 2.x.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { drive, transportTo } from './driver.mjs';

await drive(async (era, to, log) => {
  const versionNegotiation = { mode: era === 'legacy' ? 'legacy' : 'auto' };
  const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation });
  client.setNotificationHandler('notifications/message', ({ params }) => log(params));
  const transport = transportTo(to, StdioClientTransport, StreamableHTTPClientTransport);
  await client.connect(transport);
  const callTool = (params, options) => client.callTool(params, options);
  return { client, transport, callTool, revision: () => client.getNegotiatedProtocolVersion() };
});
