import { defineSession } from '#core/action.ts'
import { howToUse, perVcpuHour, sessionInput, setEnvs } from '../lib/boxes/session-fields.ts'
import { runloopSessions } from './lib/runloop.ts'

export const createSession = defineSession('create_session', {
  summary: 'Open a devbox that is suspended while it is idle and resumed by the next command.',
  notes: `Files are kept in a snapshot while it is suspended; programs end. Suspended time costs nothing. For a machine that never expires use sess_e/create_session. ${howToUse}`,
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
  input: sessionInput('The blueprint of the devbox. Default: base.', setEnvs),
  price: perVcpuHour,
  example: { input: {}, cents: 5 },
  session: runloopSessions,
})
