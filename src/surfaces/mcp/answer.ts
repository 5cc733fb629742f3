// What the answer of an action becomes for a client with a small context: selected fields, and a file in place of a
// long text.
import type { AccountCaller } from '#core/caller.ts'
import { toCallError } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import { membersOf } from '#core/input/members.ts'
import type { Log } from '#core/ports.ts'
import type { CallEnvelope, ToolAnswer } from './envelope.ts'
import { selectFields } from './select.ts'

/** An answer whose JSON has more bytes is stored as a file. */
const answerBytesMax = 20_000
/** The part of a stored answer that is sent with its link. */
const shownCharacters = { head: 2_000, tail: 1_000 } as const

/** An envelope, and where in it the answer of the action is: jobs have it beside their status. */
export interface ActionAnswer {
  readonly envelope: CallEnvelope
  readonly isJobStatus: boolean
}

export type ShapeAnswer = (
  answer: ActionAnswer,
  options: {
    readonly select: readonly string[] | undefined
    readonly caller: AccountCaller | undefined
  },
) => Promise<ToolAnswer>

export function createShapeAnswer({
  filesOf,
  log,
}: {
  filesOf: OpenCallerFiles
  log: Log
}): ShapeAnswer {
  /** Undefined where it cannot be stored. The call is paid for, so its answer is then sent whole. */
  async function store(text: string, caller: AccountCaller, callId: string | undefined) {
    const files = filesOf(caller, callId)
    try {
      const { fileId } = await files.save({
        name: 'mcp-answer',
        filename: 'answer.json',
        mediaType: 'application/json',
        content: Buffer.from(text),
      })
      return { fileId, url: await files.address(fileId) }
    } catch (thrown) {
      if (toCallError(thrown).code !== 'file_quota_exceeded')
        log.error({ err: thrown, callId }, 'An answer could not be stored as a file.')
      return undefined
    }
  }

  return async (action, { select, caller }) => {
    const whole = answerOf(action)
    if (whole === undefined) return { envelope: action.envelope }
    const { data: shown, missing } =
      select === undefined ? { data: whole, missing: [] } : selectFields(whole, select)
    const selected = { ...withAnswer(action, shown), ...(missing.length > 0 && { missing }) }
    const isShort = Buffer.byteLength(JSON.stringify(shown) ?? '') <= answerBytesMax
    if (isShort || caller === undefined) return { envelope: selected }
    // The file has the whole answer: other fields may be wanted later.
    const text = JSON.stringify(whole)
    const stored = await store(text, caller, callIdOf(action))
    if (stored === undefined) return { envelope: selected }
    const { fileId: file_id, url } = stored
    const bytes = Buffer.byteLength(text)
    const preview = { file_id, url, bytes, ...endsOf(text) }
    return {
      envelope: { ...withAnswer(action, preview), stored_as_file: true },
      link: {
        type: 'resource_link',
        uri: url,
        name: 'answer.json',
        size: bytes,
        mimeType: 'application/json',
        description:
          'The whole answer. The link works for about an hour; run files/get for a new one.',
      },
    }
  }
}

function answerOf({ envelope: { data }, isJobStatus }: ActionAnswer): unknown {
  return isJobStatus ? membersOf(data).result : data
}

function withAnswer({ envelope, isJobStatus }: ActionAnswer, answer: unknown): CallEnvelope {
  const data = isJobStatus ? { ...membersOf(envelope.data), result: answer } : answer
  return { ...envelope, data }
}

/** A file belongs to its call, so that the same answer is stored once. */
function callIdOf({ envelope, isJobStatus }: ActionAnswer): string | undefined {
  const { job_id, transaction_id } = (isJobStatus ? envelope.data : envelope) as {
    readonly [name: string]: string | undefined
  }
  return job_id ?? transaction_id
}

function endsOf(text: string) {
  return {
    head: text.slice(0, shownCharacters.head).toWellFormed(),
    tail: text.slice(-shownCharacters.tail).toWellFormed(),
  }
}
