// A client made with the official TypeScript SDK, 1.x.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { drive } from './driver.mjs';

await drive(async (_era, { command, env, url, headers }, log) => {
  const client = new Client({ name: 'interop', version: '1' }, { capabilities: {} });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => log(params));
  let revision;
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport({ command: command[0], args: command.slice(1), env });
  // What was agreed on is told to the transport alone.
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    tell?.(version);
  };
  await client.connect(transport);
  return {
    revision: () => revision,
    listTools: (params) => client.listTools(params),
    listResources: (params) => client.listResources(params),
    listPrompts: (params) => client.listPrompts(params),
    callTool: (params, options) => client.callTool(params, undefined, options),
    readResource: (params) => client.readResource(params),
    getPrompt: (params) => client.getPrompt(params),
    ping: () => client.ping(),
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    close: async () => {
      await transport.terminateSession?.();
      await client.close();
    },
  };
});
