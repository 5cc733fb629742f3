// What the reader of each page has before its blocks work, and which blocks the tests leave out, with the reason.
import type { Gateway, TestAccount } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'
import { sell } from '#test/selling/sell.ts'
import { type WeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { callInBlock, connectByAddress, connectByProgram } from './mcp-clients.ts'
import { readPdf } from './report.ts'

export interface Reader {
  readonly gateway: Gateway
  readonly account: TestAccount
  /** An API of the reader’s own. */
  readonly weather: WeatherApi
}

type Variables = Readonly<Record<string, string>>

/** How a block that is not a program is tested. */
export type Shown =
  /** It is a body that this action takes. */
  | { readonly asks: string }
  /** It is the answer to the last command before it, or the data of the answer. */
  | { readonly answers: 'whole' | 'data' | 'text' }
  /** It is what this returns. */
  | { readonly matches: (reader: Reader) => Promise<unknown> }
  /** It is a configuration that works. */
  | { readonly works: (text: string, reader: Reader) => Promise<unknown> }
  /** It is only read as JSON. */
  | { readonly left: string }

/** What a machine may lack. */
export type Want = 'boxes' | 'browsers' | 'chains' | 'espeak-ng'

export interface Needs {
  /** Without one of these the page is skipped. */
  readonly wants?: readonly Want[]
  /** Files in the reader's folder. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** Variables of which the page speaks. */
  readonly given?: (reader: Reader) => Promise<Variables>
  /** Variables that the reader takes from the field of an answer, or `wholeAnswer`. */
  readonly takes?: Variables
  /** Texts for which the reader puts in something else. */
  readonly fills?: Variables
  /** What the reader does under a heading before its first command. */
  readonly before?: Readonly<Record<string, readonly string[]>>
  /** The variable whose value is typed for the commands that begin like this. */
  readonly typed?: Variables
  /** Commands that begin like this end with another code than 0. */
  readonly ends?: Readonly<Record<string, number>>
  /** Commands and programs that begin like this are not run, and why. */
  readonly left?: Variables
  /** The blocks that are not programs, in their order. */
  readonly shown?: readonly Shown[]
  /** Each block is a program of its own. Otherwise the blocks of a page are one program. */
  readonly apart?: true
}

const anyId = '0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11'
/** An answer that is an id and nothing else. */
const wholeAnswer = ''
const startsGateway = 'It starts a gateway and goes on; packed.nightly.test.ts does this.'
const signsIn = 'It waits for a person in a browser; sign-in.test.ts does this.'
const publicAddress = 'It reads an address on the internet.'

const key = `-H "authorization: Bearer $TOLLWAY_KEY"`
const bytesOfReport = 52_431
const inSquareQuotes = (variable: string) => `'"$${variable}"'`

async function storeFile({ account }: Reader, bytes: Buffer): Promise<string> {
  const { body } = await account.call('files/upload', {
    filename: 'film.mp4',
    size_bytes: bytes.length,
  })
  await fetch(body.data.put_url, { method: 'PUT', body: new Uint8Array(bytes) })
  return body.data.file_id
}

const openSession = (action: string) =>
  `curl "$TOLLWAY_URL/api/run/${action}/create_session" ${key} -d '{}'`
const makefile = Buffer.from('test:\n\t@echo compiling\n').toString('base64')

export const needs: Readonly<Record<string, Needs>> = {
  'README.md': {
    left: {
      'npm ci && npm start': startsGateway,
      'npm ci && npm test': 'It is how these tests are run.',
    },
    given: async ({ account }) => ({ STARTER_KEY: account.key }),
    before: { 'One call': ['mkdir -p data && printf %s "$STARTER_KEY" >data/starter-key'] },
    fills: { '--private': '--private --yes' },
    shown: [{ answers: 'whole' }],
  },
  'docs/use/README.md': {
    given: async ({ account }) => {
      const { body } = await account.call('test/echo', {})
      return { STARTER_KEY: account.key, TRANSACTION_ID: body.transaction_id }
    },
    before: {
      'Calling a gateway': ['mkdir -p data && printf %s "$STARTER_KEY" >data/starter-key'],
    },
    fills: { '"transaction_id":"…"': `"transaction_id":"${inSquareQuotes('TRANSACTION_ID')}"` },
    shown: [
      {
        matches: async ({ gateway }) =>
          (await (await gateway.account(10)).call('test/echo', {})).body,
      },
    ],
  },
  'docs/use/accounts.md': {},
  'docs/use/browsers.md': {
    wants: ['boxes', 'browsers'],
    apart: true,
    given: async ({ account }) => {
      const { body } = await account.call('ns_browser/create_session', { estimatedMinutes: 1 })
      return { CONNECT_URL: body.data.connectUrl }
    },
  },
  'docs/use/clients.md': {},
  'docs/use/command.md': {
    wants: ['boxes'],
    files: {
      'prices.json': JSON.stringify([{ match: '*', price: 1 }]),
      'search.json': JSON.stringify({
        search: 'open access',
        filter: 'publication_year:2018',
        per_page: 1,
      }),
      'report.pdf': readPdf('The harbour was quiet.'),
      'work.py': 'print(6 * 7)\n',
    },
    given: async ({ gateway, account, weather }) => {
      const { descriptionUrl: address } = weather
      await sell(gateway, {
        name: 'weather',
        address,
        private: true,
        rules: [{ match: '*', price: 1 }],
      })
      const { body } = await account.call('test/job', {})
      return { JOB_ID: body.data.job_id, WEATHER_KEY: weatherKey }
    },
    before: {
      'sell key': ['printf %s "$WEATHER_KEY" >key.txt'],
      login: ['printf %s "$TOLLWAY_KEY" >key.txt'],
      'files download': ['rm report.pdf'],
    },
    typed: { 'tollway sell key': 'WEATHER_KEY', 'tollway login': 'TOLLWAY_KEY' },
    takes: { ID: wholeAnswer, FILE_ID: wholeAnswer },
    fills: {
      [`tollway job ${anyId}`]: 'tollway job "$JOB_ID"',
      [`tollway files download ${anyId}`]: 'tollway files download "$FILE_ID"',
    },
    left: {
      'npx tollway  ': startsGateway,
      'tollway backup':
        'It copies a database of its own; backup-and-restore.nightly.test.ts does this.',
      'tollway restore': 'It needs a backup; backup-and-restore.nightly.test.ts does this.',
      'tollway sell https://': publicAddress,
      'tollway sell --price 1 --folder':
        'It starts a program of npm; tool-servers.nightly.test.ts sells such programs.',
      'tollway login https://gateway.example --browser': signsIn,
    },
    ends: { 'tollway logs --follow': 130 },
  },
  'docs/use/console.md': {},
  'docs/use/consult.md': {
    shown: [{ asks: 'tollway/consult?quote=true' }, { asks: 'tollway/consult?quote=true' }],
  },
  'docs/use/documents.md': { shown: [{ asks: 'tollway/read-document?quote=true' }] },
  'docs/use/files.md': {
    files: { 'report.pdf': Buffer.alloc(bytesOfReport, 'a') },
    takes: { PUT_URL: 'put_url' },
  },
  'docs/use/films.md': { shown: [{ left: 'films.nightly.test.ts renders it.' }] },
  'docs/use/mail.md': {},
  'docs/use/mcp.md': {
    shown: [
      { works: connectByAddress },
      { works: connectByProgram },
      {
        matches: async ({ gateway, account }) => {
          const client = await connectMcp(gateway.url, { key: account.key })
          const call = { action: 'ns_encyclopedia/search', params: { q: 1 } }
          return (await client.callTool({ name: 'run', arguments: call })).structuredContent
        },
      },
    ],
  },
  'docs/use/media.md': { shown: [{ answers: 'data' }] },
  'docs/use/messages.md': {
    shown: [
      { left: 'It is the configuration of opencode; opencode.nightly.test.ts uses it.' },
      {
        matches: async ({ gateway }) => {
          const { key: poor } = await gateway.account(0)
          const body = {
            model: 'tollway/mid',
            max_tokens: 10,
            messages: [{ role: 'user', content: 'Hello' }],
          }
          return (await gateway.request('POST', '/api/llm/v1/messages', { key: poor, body })).body
        },
      },
    ],
  },
  'docs/use/models.md': {
    wants: ['espeak-ng'],
    files: {
      'requests.jsonl': JSON.stringify({
        custom_id: 'first',
        method: 'POST',
        url: '/v1/embeddings',
        body: { model: 'tollway/embedding-small', input: 'The harbour was quiet.' },
      }),
    },
  },
  'docs/use/oauth.md': {},
  'docs/use/pages.md': {},
  'docs/use/people.md': {
    shown: [{ asks: 'tollway/onefind?quote=true' }, { asks: 'tollway/onefind-deep?quote=true' }],
  },
  'docs/use/performances.md': {
    left: {
      'curl "$TOLLWAY_URL/api/run/performance/generate"': 'It needs the films of an operator.',
    },
  },
  'docs/use/plans.md': {
    takes: { ACTION: 'action' },
    shown: [
      { asks: 'tollway/run-plan?quote=true' },
      { left: 'It is a part of a body.' },
      { asks: 'tollway/run-plan?quote=true' },
      { asks: 'tollway/batch?quote=true' },
    ],
  },
  'docs/use/repositories.md': { wants: ['boxes'], takes: { CLONE_URL: 'clone_url' } },
  'docs/use/responses.md': {
    shown: [{ left: 'It is the configuration of Codex; codex.nightly.test.ts uses it.' }],
  },
  'docs/use/sandboxes.md': {
    wants: ['boxes'],
    given: async (reader) => ({ FILE_ID: await storeFile(reader, Buffer.alloc(2 ** 20)) }),
    takes: { ID: 'session_id', SANDBOX_ID: 'sandbox_id', JOB_ID: 'job_id' },
    fills: {
      'sb-…': inSquareQuotes('SANDBOX_ID'),
      '"job_id":"…"': `"job_id":"${inSquareQuotes('JOB_ID')}"`,
      '"film.mp4", "file_id": "…"': `"film.mp4", "file_id": "${inSquareQuotes('FILE_ID')}"`,
    },
    before: {
      'Commands that take long': [
        openSession('sess_a'),
        `curl "$TOLLWAY_URL/api/v1/sessions/$ID/run" ${key} -d '{"files":[{"path":"Makefile","content":"${makefile}"}],"command":"true"}'`,
      ],
    },
    shown: [{ answers: 'text' }, { answers: 'whole' }],
  },
  'docs/use/search.md': { shown: [{ asks: 'tollway/onesearch?quote=true' }] },
  'docs/use/sessions.md': { wants: ['boxes'], takes: { ID: 'session_id' } },
  'docs/use/site-indexes.md': {
    fills: { '"index_id": "…"': `"index_id": "${anyId}"` },
    shown: [{ asks: 'tollway/index-site?quote=true' }, { asks: 'tollway/search-index?quote=true' }],
  },
  'docs/use/wallets.md': {
    wants: ['chains'],
    left: {
      "import { tempo } from 'mppx/client'":
        'No local node has the escrow of Tempo; sessions.test.ts pays like this with another.',
      'npm run chain': 'It goes on until Ctrl-C; the tests have the same chains.',
      'npm start': startsGateway,
    },
  },
  'clients/command/README.md': {
    typed: { 'tollway-command login': 'TOLLWAY_KEY' },
    left: {
      'npm install':
        'It installs from the npm registry; packed.nightly.test.ts installs the package.',
    },
  },
  'clients/typescript/README.md': {
    left: {
      'import { ExactEvmScheme }': 'It is a part of a program; wallets.test.ts pays like this.',
      'interface Private': 'It is a part of a program; open-client.ts types actions like this.',
    },
  },
  'clients/python/README.md': {
    left: {
      'async with AsyncTollway':
        'It is a part of a program; python.nightly.test.ts has whole ones.',
      'from x402':
        'The package x402 is not installed here; python.nightly.test.ts pays by another.',
    },
  },
  // Pages that a gateway writes.
  '/docs/connect.md': {
    shown: [
      { works: connectByProgram },
      { works: connectByAddress },
      { works: connectByAddress },
      { left: 'It is the configuration of Codex; connect.test.ts writes it.' },
      { left: 'It is an address for ChatGPT, which asks a person to sign in.' },
    ],
    left: {
      'claude mcp add': 'It needs Claude Code; connect.test.ts writes the same entry.',
      'from langchain_mcp_adapters': 'The package langchain-mcp-adapters is not installed here.',
      "import { createMCPClient } from '@ai-sdk/mcp'":
        'The package @ai-sdk/mcp is not installed here.',
    },
  },
  '/docs/actions/test/echo.md': { shown: [{ works: callInBlock }] },
}
