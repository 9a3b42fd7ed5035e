// A client made with the official TypeScript SDK, 2.x.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { drive } from './driver.mjs';

await drive(async (era, { command, env, url, headers }, log) => {
  const versionNegotiation = { mode: era === 'legacy' ? 'legacy' : 'auto' };
  const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation });
  client.setNotificationHandler('notifications/message', ({ params }) => log(params));
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport({ command: command[0], args: command.slice(1), env });
  await client.connect(transport);
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    listTools: (params) => client.listTools(params),
    listResources: (params) => client.listResources(params),
    listPrompts: (params) => client.listPrompts(params),
    callTool: (params, options) => client.callTool(params, options),
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
