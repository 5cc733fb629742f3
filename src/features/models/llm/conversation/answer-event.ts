// One answer as a stream of events, between any upstream's format and any caller's. Usage, failure and the end of the
// connection travel in the StreamState beside it.

/** A part of an answer. `choice` is 0 unless several choices were asked for. */
export type AnswerEvent =
  /** The first event of an answer. `createdAt` in Unix seconds. */
  | { readonly type: 'start'; readonly id: string; readonly createdAt: number }
  | { readonly type: 'text'; readonly choice: number; readonly text: string }
  | { readonly type: 'refusal'; readonly choice: number; readonly text: string }
  /** A piece of visible reasoning. `index` tells one reasoning block of the answer from the next. */
  | {
      readonly type: 'thought'
      readonly choice: number
      readonly index: number
      readonly text: string
    }
  /** A reasoning block is complete. `seal` is what its maker needs to accept the block again. */
  | {
      readonly type: 'thought_end'
      readonly choice: number
      readonly index: number
      readonly seal: ThoughtSeal | undefined
    }
  /** A tool call begins. `index` counts the calls of the choice from 0. Its arguments follow. */
  | {
      readonly type: 'call'
      readonly choice: number
      readonly index: number
      readonly id: string
      readonly name: string
      readonly kind: 'function' | 'custom'
    }
  | {
      readonly type: 'arguments'
      readonly choice: number
      readonly index: number
      readonly text: string
    }
  | {
      readonly type: 'end'
      readonly choice: number
      readonly reason: EndReason
      readonly stopSequence?: string | undefined
    }

export type EndReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** What a vendor wants back with a reasoning block. Only the model that made it understands it. */
export interface ThoughtSeal {
  readonly maker: WireName
  /** The slug of the model that made it; undefined if the caller's copy does not say. */
  readonly model?: string | undefined
  /** The vendor's id of the item, or its place in the answer. */
  readonly id?: string | undefined
  /** Anthropic's `signature`, OpenAI's `encrypted_content`, Gemini's `thoughtSignature`. */
  readonly data: string
  /** The block has no readable text, as Anthropic's `redacted_thinking`. */
  readonly hidden?: boolean | undefined
}

/** A reasoning block in the history of a request: `thoughts` of an assistant message. */
export interface Thought {
  readonly text: string
  readonly seal?: ThoughtSeal | undefined
}

/** The formats of upstreams. `chat` is the common one. */
export type WireName = 'chat' | 'anthropic' | 'responses' | 'gemini'
