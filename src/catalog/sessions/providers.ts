// One provider for each kind of session. All share one interface: what `create_session` takes, how a session is used,
// and how it is charged. The table has what differs.
import { defineSession } from '#core/action.ts'
import type { MeteredPrice } from '#core/price.ts'
import { defineProvider, type Provider, type Upstream } from '#core/provider.ts'
import type { SessionKind } from '#core/session.ts'
import {
  callHoursMax,
  howToUse,
  machineMax,
  perVcpuHour,
  sessionInput,
  setEnvs,
} from '../lib/boxes/session-fields.ts'
import type { BoxInput } from '../lib/boxes/vendor-box.ts'
import { daytonaSessions, daytonaUpstream } from './lib/daytona.ts'
import { e2bSessions, e2bUpstream } from './lib/e2b.ts'
import { runloopSessions, runloopUpstream } from './lib/runloop.ts'
import { spriteSessions, spritesUpstream } from './lib/sprites.ts'
import { vercelSessions, vercelUpstream } from './lib/vercel.ts'

interface SessionProvider {
  readonly id: string
  readonly title: string
  readonly docs: string
  readonly upstream: Upstream
  readonly session: SessionKind<BoxInput>
  readonly summary: string
  /** Before how a session is used, which is the same for all. */
  readonly notes: string
  readonly synonyms: readonly string[]
  readonly questions: readonly string[]
  /** What a caller may name as `template`. */
  readonly templates: string
  /** What becomes of `envs`. Default: they are set. */
  readonly envs?: string
  /** Default: by the vCPU-hour. */
  readonly price?: MeteredPrice
}

/** Source: spec, "Compute". */
const vercelHoursMax = 5

const table: readonly SessionProvider[] = [
  {
    id: 'sess_a',
    title: 'E2B',
    docs: 'https://e2b.dev/docs',
    upstream: e2bUpstream,
    session: e2bSessions,
    summary: 'Open a session on a machine of its own, to run commands and code in.',
    notes:
      'The default for running code that keeps its files between calls. Variables do not survive: sess_b/create_session keeps them. For a single run use ns_sandbox/sandbox-create.',
    synonyms: [
      'code interpreter',
      'run code',
      'cloud sandbox',
      'isolated machine',
      'coding agent',
      'microVM',
      'persistent shell',
    ],
    questions: [
      'where can my agent run code over several calls?',
      'can I install packages and keep them?',
      'how do I run untrusted code safely?',
    ],
    templates: 'The image of the machine. Default: base.',
  },
  {
    id: 'sess_b',
    title: 'Daytona',
    docs: 'https://www.daytona.io/docs',
    upstream: daytonaUpstream,
    session: daytonaSessions,
    summary: 'Open a session with an interpreter that keeps its variables between calls.',
    notes:
      'Variables of Python and JavaScript survive from one piece of code to the next, as in a notebook. For files only, sess_a/create_session is enough.',
    synonyms: [
      'notebook',
      'stateful interpreter',
      'REPL',
      'Python kernel',
      'Jupyter',
      'data analysis session',
      'TypeScript runner',
    ],
    questions: [
      'can variables survive between code calls?',
      'where can I analyse data step by step?',
      'is there a Python kernel for agents?',
    ],
    templates: 'python (default), javascript or typescript.',
  },
  {
    id: 'sess_c',
    title: 'Vercel Sandbox',
    docs: 'https://vercel.com/docs/vercel-sandbox',
    upstream: vercelUpstream,
    session: vercelSessions,
    summary: 'Open a session for up to five hours, billed by the wall clock.',
    notes:
      'It closes by itself after five hours. For longer work use sess_e/create_session, for the default sess_a/create_session.',
    synonyms: [
      'build machine',
      'temporary machine',
      'CI runner',
      'test runner',
      'dev server',
      'US East machine',
    ],
    questions: [
      'where can I build and test a project for an hour?',
      'which session closes by itself?',
      'can I run a build for a few hours?',
    ],
    templates: 'The runtime of the machine. Default: base.',
    price: {
      ...perVcpuHour,
      atMostCents: (perVcpuHour.atMostCents / callHoursMax) * vercelHoursMax,
    },
  },
  {
    id: 'sess_d',
    title: 'Runloop',
    docs: 'https://docs.runloop.ai',
    upstream: runloopUpstream,
    session: runloopSessions,
    summary: 'Open a devbox that is suspended while it is idle and resumed by the next command.',
    notes:
      'Files are kept in a snapshot while it is suspended; programs end. Suspended time costs nothing. For a machine that never expires use sess_e/create_session.',
    synonyms: [
      'devbox',
      'snapshot',
      'suspend and resume',
      'development machine',
      'software engineering agent',
      'workspace',
    ],
    questions: [
      'can a machine sleep and keep its files?',
      'where can my coding agent keep a workspace?',
      'how do I resume a devbox?',
    ],
    templates: 'The blueprint of the devbox. Default: base.',
  },
  {
    id: 'sess_e',
    title: 'Fly Sprites',
    docs: 'https://sprites.dev',
    upstream: spritesUpstream,
    session: spriteSessions,
    summary: 'Open a computer that never expires and costs nothing while it is idle.',
    notes:
      'Only work is charged, also that of programs in the background. It stays until you close it, and no time limit ends it. envs are accepted and not set: set variables in each command. For a machine that closes by itself use sess_a/create_session.',
    synonyms: [
      'persistent computer',
      'always there',
      'long lived machine',
      'free while idle',
      'personal server',
      'agent computer',
    ],
    questions: [
      'which machine keeps my files for weeks?',
      'is there a computer that costs nothing when idle?',
      'can I come back to the same machine next month?',
    ],
    templates: 'The image of the computer. Default: base.',
    envs: 'Accepted, and not set: set variables in each command.',
    price: {
      perHourCents: { cpu: 7, gigabyte: 4.375 },
      reserveCents: 5,
      atMostCents: (7 * machineMax.vcpus + 4.375 * machineMax.gigabytes) * callHoursMax,
      basis: '7¢ per CPU-hour and 4.375¢ per GB-hour of use, idle time free',
    },
  },
]

export const sessionProviders: readonly Provider[] = table.map((row) => {
  const { id, title, docs, upstream, notes, templates, envs, price, ...offered } = row
  const createSession = defineSession('create_session', {
    ...offered,
    notes: `${notes} ${howToUse}`,
    input: sessionInput(templates, envs ?? setEnvs),
    price: price ?? perVcpuHour,
    example: { input: {}, cents: 5 },
  })
  return defineProvider({
    id,
    title,
    docs,
    tableFolder: 'sessions',
    upstream,
    actions: [createSession],
  })
})
