// What a client made with one of the TypeScript SDKs is told to do, a line of JSON each: see `driven.py`.
import { createInterface } from 'node:readline';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/// How a server is reached, with an SDK's own transports.
export function transportTo({ command, env, url, headers }, Stdio, Http) {
  return url
    ? new Http(new URL(url), { requestInit: { headers } })
    : new Stdio({ command: command[0], args: command.slice(1), env });
}

/// `connect` gives a client that is connected, its transport, and what differs between the SDKs: how a tool is called and
/// what revision was agreed on.
export async function drive(connect) {
  const [era, to] = process.argv.slice(2);
  let connected;
  try {
    connected = await connect(era, JSON.parse(to), (message) => say({ message }));
  } catch (error) {
    say({ refused: told(error) });
    process.exit(0);
  }
  const { client, transport, callTool, revision } = connected;
  say({ revision: revision() });
  const calls = new Map();

  async function all(list, name) {
    const found = [];
    let cursor;
    do {
      const page = await list(cursor === undefined ? {} : { cursor });
      found.push(...page[name]);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  }

  const actions = {
    tools: () => all((page) => client.listTools(page), 'tools'),
    resources: () => all((page) => client.listResources(page), 'resources'),
    prompts: () => all((page) => client.listPrompts(page), 'prompts'),
    call: ({ id, tool, arguments: given }) => {
      const giveUp = new AbortController();
      calls.set(id, giveUp);
      const onprogress = (progress) => say({ id, progress });
      return callTool({ name: tool, arguments: given }, { signal: giveUp.signal, onprogress });
    },
    read: ({ uri }) => client.readResource({ uri }),
    prompt: ({ name, arguments: given }) => client.getPrompt({ name, arguments: given }),
    ping: () => client.ping(),
    log_level: ({ level }) => client.setLoggingLevel(level),
  };

  for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    if ('cancel' in asked) {
      calls.get(asked.cancel)?.abort('given up');
      continue;
    }
    const { id } = asked;
    actions[asked.do](asked).then(
      (result) => say({ id, result }),
      (error) => say({ id, refused: told(error) }),
    );
  }
  await transport.terminateSession?.();
  await client.close();
  process.exit(0);
}

function told(error) {
  return [error?.message ?? String(error), error?.cause?.message].filter(Boolean).join(': ');
}
