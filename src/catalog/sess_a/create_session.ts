import { defineSession } from '#core/action.ts'
import { howToUse, perVcpuHour, sessionInput, setEnvs } from '../lib/boxes/session-fields.ts'
import { e2bSessions } from './lib/e2b.ts'

export const createSession = defineSession('create_session', {
  summary: 'Open a session on a machine of its own, to run commands and code in.',
  notes: `The default for running code that keeps its files between calls. Variables do not survive: sess_b/create_session keeps them. For a single run use ns_sandbox/sandbox-create. ${howToUse}`,
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
  input: sessionInput('The image of the machine. Default: base.', setEnvs),
  price: perVcpuHour,
  example: { input: {}, cents: 5 },
  session: e2bSessions,
})
