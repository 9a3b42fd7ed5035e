// A client made with the official TypeScript SDK: see `tests/bench/README.md`.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [named, ...words] = process.argv.slice(2);
if (named === undefined || named === '--version') {
  console.log('bench-ts 0.1.0');
  process.exit(0);
}

const options = { server: '', url: '', kind: 'plain', size: 100, n: 1000, warmup: 0, inflight: 1, servers: 1 };
for (let at = 0; at < words.length; at += 2) {
  const name = words[at].slice(2);
  if (!(name in options)) throw new Error(`what is ${words[at]}?`);
  options[name] = typeof options[name] === 'number' ? Number(words[at + 1]) : words[at + 1];
}
const { server, url, kind, size, n, warmup, inflight, servers } = options;

// How many bytes a piece has in a message is not what it has here: quotes and line ends are escaped.
const [piece, wire] = kind === 'esc'
  ? ['{"key": "some value", "n": 12345},\n', 42]
  : ['abcdefghijklmnopqrstuvwxyz012345', 32];
const text = piece.repeat(Math.floor(size / wire)) + 'x'.repeat(size % wire);

async function open() {
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} });
  const [command, ...args] = server.split(/\s+/);
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command, args, maxBufferSize: 256 << 20 });
  await client.connect(transport);
  return client;
}

async function call(client) {
  const result = await client.callTool({ name: 'echo', arguments: { text } });
  if (result.content[0].text.length !== text.length) throw new Error('it is not the text');
}

async function list(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor ? { cursor } : {});
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

function memory(name) {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function start() {
  const before = cpu();
  const begin = process.hrtime.bigint();
  return () => ({
    wall_us: Number((process.hrtime.bigint() - begin) / 1000n),
    cpu_us: cpu() - before,
    rss_kb: memory('VmRSS'),
  });
}

async function oneAfterAnother() {
  const client = await open();
  for (let count = 0; count < warmup; count++) await call(client);
  const each = [];
  const stop = start();
  for (let count = 0; count < n; count++) {
    const begin = process.hrtime.bigint();
    await call(client);
    each.push(Number(process.hrtime.bigint() - begin) / 1000);
  }
  const outcome = stop();
  each.sort((one, other) => one - other);
  const at = (part) => each[Math.floor((each.length - 1) * part)];
  return { ...outcome, min_us: at(0), p50_us: at(0.5), p99_us: at(0.99) };
}

async function inFlight() {
  const client = await open();
  for (let count = 0; count < warmup; count++) await call(client);
  let left = n;
  const stop = start();
  await Promise.all(Array.from({ length: Math.min(inflight, n) }, async () => {
    while (left-- > 0) await call(client);
  }));
  return stop();
}

async function connect() {
  const stop = start();
  const clients = await Promise.all(Array.from({ length: servers }, async () => {
    const client = await open();
    return [client, (await list(client)).length];
  }));
  return { ...stop(), tools: clients.reduce((sum, [, count]) => sum + count, 0) };
}

async function listOne() {
  const client = await open();
  const stop = start();
  const tools = await list(client);
  return { ...stop(), tools: tools.length };
}

const scenarios = { seq: oneAfterAnother, pipe: inFlight, connect, list: listOne };
const outcome = await scenarios[named.replace('http-', '')]();
const asked = { impl: 'ts', scenario: named, n, size, inflight, servers };
console.log(JSON.stringify({ ...asked, ...outcome, peak_kb: memory('VmHWM') }));
process.exit(0);
