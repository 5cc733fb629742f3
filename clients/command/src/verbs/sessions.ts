// Verbs about sessions: machines and browsers that stay open between calls.
import type { Routes, SessionState } from '@tollway/client'
import { actionOperand, bodyOptions, describe, readBody } from '../describe.ts'
import { centsOf, wholeNumber } from '../meant/amounts.ts'
import { listing, render } from '../render.ts'
import { UsageError } from '../usage-error.ts'
import { defineVerb } from '../verb.ts'

type SessionRow = Routes['GET /api/v1/sessions']['answer']['sessions'][number]

const rowsMax = 100
/** Rented browsers are listed and closed like sessions, but paid ahead and so described without a tariff. */
const browserAction = 'create_session'
const sessionOperand = { about: 'The id of the session.', listedBy: 'session' } as const

export const sessions = defineVerb({
  name: 'session',
  summary: 'List your sessions, the newest first.',
  options: { all: { about: 'Closed sessions too.' } },
  async run({ options }, { connection, output }) {
    const rows: SessionRow[] = []
    const query = { limit: rowsMax, ...(options.all ? {} : { status: 'live' as const }) }
    for await (const row of connection.tollway.list('GET /api/v1/sessions', { query })) {
      rows.push(row)
      if (rows.length === rowsMax) break
    }
    output.print({ sessions: rows }, () =>
      listing(
        ['ID', 'STATUS', 'CHARGED', 'ACTION', 'OPENED'],
        rows.map(({ session_id, status, charged_usd, action, created_at }) => [
          session_id,
          status,
          `$${charged_usd}`,
          action,
          created_at,
        ]),
        'There are no open sessions. `--all` lists closed ones too.',
      ),
    )
  },
})

export const openSession = defineVerb({
  name: 'session open',
  summary:
    'Open a session by its action. Prints its id, or all about a browser. It costs until it is closed.',
  operands: { action: { ...actionOperand, about: 'The action that creates it.' } },
  options: {
    ...bodyOptions,
    'max-cost': { about: 'The most that its whole time may cost.', value: 'CENTS' },
  },
  takesFields: true,
  examples: ['session open sess_a/create_session --max-cost 50'],
  async run({ operands, ...given }, surroundings) {
    const { action, session } = await describe(surroundings.connection, operands.action)
    if (session === undefined && action !== browserAction)
      throw new UsageError(
        `${operands.action} opens no session. \`tollway run ${operands.action}\` runs it.`,
      )
    const body = await readBody(operands.action, given, surroundings)
    const maxCostCents = centsOf('max-cost', given.options['max-cost'])
    const answer = await surroundings.connection.tollway.run(operands.action, body, {
      signal: surroundings.signal,
      ...(maxCostCents === undefined ? {} : { maxCostCents }),
    })
    surroundings.output.print(answer.data, (data) => {
      const id = (data as { session_id?: string }).session_id
      return id ?? render(data)
    })
  },
})

export const runInSession = defineVerb({
  name: 'session run',
  summary: 'Run a shell command in a session, and end with its exit code.',
  operands: {
    id: sessionOperand,
    command: { about: 'The command, or `-` to read it from standard input.', kind: 'many' },
  },
  options: {
    language: {
      about: 'The command is code in this language.',
      value: 'LANGUAGE',
      choices: ['python', 'javascript', 'bash'],
    },
    timeout: { about: 'Default 60, at most 600.', value: 'SECONDS' },
  },
  examples: ['session run $ID "ls -la"', 'session run $ID --language python - < work.py'],
  async run({ operands, options }, { connection, output, input, signal }) {
    const [first, ...others] = operands.command
    const isPiped = first === '-' && others.length === 0
    const text = isPiped ? (await input.readAll()).toString() : operands.command.join(' ')
    const { language } = options
    const program = language === undefined ? { command: text } : { code: text, language }
    const timeoutSeconds = wholeNumber('timeout', options.timeout)
    const result = await connection.tollway.session(operands.id).run(program, {
      signal,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    })
    if (output.json) output.print(result, () => '')
    else {
      output.write(result.stdout)
      if (result.stderr !== '') output.note(result.stderr.trimEnd())
      if (result.timed_out) output.note('The command was ended, because its time was over.')
    }
    return result.exit_code ?? 1
  },
})

export const showSession = defineVerb({
  name: 'session show',
  summary: 'Show the state of a session, and what it has cost so far.',
  operands: { id: sessionOperand },
  async run({ operands }, { connection, output }) {
    output.print(await connection.tollway.session(operands.id).read(), render)
  },
})

export const closeSession = defineVerb({
  name: 'session close',
  summary: 'End sessions, and charge what they used.',
  operands: { id: { ...sessionOperand, kind: 'many' } },
  async run({ operands }, { connection, output }) {
    const closed: SessionState[] = []
    for (const id of operands.id) closed.push(await connection.tollway.session(id).close())
    output.print({ sessions: closed }, () =>
      closed
        .map((state) => `${state.session_id} is ${state.status}. Charged $${state.charged_usd}.`)
        .join('\n'),
    )
  },
})
