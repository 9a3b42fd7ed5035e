// A person with headless Chromium, in the place of what opens addresses on a desktop: `browser.mjs URL`.
//
// $BROWSER_DOES is `agrees`, `refuses` or `looks` (and leaves it at that), $BROWSER_ACCOUNT who they say they are, and
// $BROWSER_PROFILE the folder that the browser has from one visit to the next. What the last page is like, and what was
// asked before it, is written to $BROWSER_REPORT, and how it looks beside it. Chromium is driven by its own protocol, over
// a pipe.
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';

const {
  BROWSER_DOES: does, BROWSER_ACCOUNT: account, BROWSER_PROFILE: profile, BROWSER_REPORT: report,
  BROWSER_PROGRAM: program,
} = process.env;
const chromium = spawn(program, [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--no-proxy-server',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: profile } });

const waiting = new Map();
const loads = { came: 0, told: () => {} };
let numbers = 0;
let rest = '';
chromium.stdio[4].setEncoding('utf8').on('data', data => {
  const messages = (rest + data).split('\0');
  rest = messages.pop();
  for (const message of messages.map(text => JSON.parse(text))) {
    if (message.method === 'Page.loadEventFired') {
      loads.came += 1;
      loads.told();
    }
    waiting.get(message.id)?.(message);
  }
});

function ask(method, params = {}, sessionId = undefined) {
  const id = (numbers += 1);
  chromium.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((resolve, reject) => waiting.set(id, ({ result, error }) => {
    if (error) reject(new Error(`${method}: ${error.message}`));
    else resolve(result);
  }));
}

async function loaded(after) {
  while (loads.came <= after) await new Promise(resolve => { loads.told = resolve; });
}

const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
const page = (method, params) => ask(method, params, sessionId);
const run = async (code, ...given) => {
  const expression = `(${code})(...${JSON.stringify(given)})`;
  const { result } = await page('Runtime.evaluate', { expression, returnByValue: true });
  return result.value;
};

await page('Page.enable');
let before = loads.came;
await page('Page.navigate', { url: process.argv[2] });
await loaded(before);
const asked = [];
while (does !== 'looks' && await run(() => document.forms.length > 0)) {
  before = loads.came;
  asked.push(await run(() => document.querySelector('input[name=prompt]')?.value ?? 'something else'));
  if (does === 'refuses') await run(() => document.querySelector('a[href$="/abort"]').click());
  else await run(name => {
    for (const input of document.querySelectorAll('input:not([type=hidden])')) input.value = name;
    document.querySelector('button').click();
  }, account);
  await loaded(before);
}
const found = await run(() => {
  const script = document.createElement('script');
  script.textContent = 'document.title = "a script ran"';
  document.body.append(script);
  script.remove();
  return {
    title: document.title,
    heading: document.querySelector('h1')?.innerText ?? '',
    text: document.querySelector('p')?.innerText ?? '',
    elements: [...document.body.querySelectorAll('*')].map(element => element.localName).join(' '),
  };
});
const { data } = await page('Page.captureScreenshot');
writeFileSync(`${report}.png`, Buffer.from(data, 'base64'));
writeFileSync(`${report}.part`, JSON.stringify({ ...found, asked }));
const gone = new Promise(resolve => chromium.on('exit', resolve));
await ask('Browser.close');
await gone;
renameSync(`${report}.part`, report);
