// Speech made on this machine.

export interface SpeechRequest {
  readonly text: string
  /** A language of the synthesizer: `en`, `pt-br`. */
  readonly language: string
  /** A voice of the synthesizer, or `default`. */
  readonly voice: string
  /** Words per minute. */
  readonly speed: number
  readonly format: 'mp3' | 'wav'
}

export interface SpeechAsker {
  /** Who pays: one account cannot take all places. */
  readonly owner: string
  readonly signal: AbortSignal
}

export interface Speech {
  /** A sentence that tells the operator what this machine lacks. Absent: nothing is missing. */
  readonly missing?: string | undefined
  /**
   * Resolves to the bytes of an audio file. Throws `bad_request` for a language that is not installed, and
   * `too_many_inflight` where too much of the owner waits already.
   */
  speak(request: SpeechRequest, asker: SpeechAsker): Promise<Uint8Array>
}
