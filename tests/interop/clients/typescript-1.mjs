// A client made with the official TypeScript SDK, 1.x.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { drive, transportTo } from './driver.mjs';

await drive(async (_era, to, log) => {
  const client = new Client({ name: 'interop', version: '1' }, { capabilities: {} });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => log(params));
  let revision;
  const transport = transportTo(to, StdioClientTransport, StreamableHTTPClientTransport);
  // What was agreed on is told to the transport alone.
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    tell?.(version);
  };
  await client.connect(transport);
  const callTool = (params, options) => client.callTool(params, undefined, options);
  return { client, transport, callTool, revision: () => revision };
});
