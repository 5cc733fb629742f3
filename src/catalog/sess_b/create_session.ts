import { defineSession } from '#core/action.ts'
import { howToUse, perVcpuHour, sessionInput, setEnvs } from '../lib/boxes/session-fields.ts'
import { daytonaSessions } from './lib/daytona.ts'

export const createSession = defineSession('create_session', {
  summary: 'Open a session with an interpreter that keeps its variables between calls.',
  notes: `Variables of Python and JavaScript survive from one piece of code to the next, as in a notebook. For files only, sess_a/create_session is enough. ${howToUse}`,
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
  input: sessionInput('python (default), javascript or typescript.', setEnvs),
  price: perVcpuHour,
  example: { input: {}, cents: 5 },
  session: daytonaSessions,
})
