// A server made with the official TypeScript SDK: see `tests/bench/README.md`.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'bench', version: '1' });
const inputSchema = { text: z.string().describe('What is sent back.') };
server.registerTool('echo', { description: 'Sends text back.', inputSchema }, ({ text }) => ({
  content: [{ type: 'text', text }],
}));
await server.connect(new StdioServerTransport());
