import { finishedWithinMs } from './limits.ts'

/** Why a session has no video, and what its owner can do. The names are in the database. */
export const recordingFailures = {
  no_pictures:
    'The browser sent no picture that could be kept. Record another session; if that fails too, tell the operator of this gateway.',
  pictures_lost: `The machine with the pictures was down for more than ${finishedWithinMs / 3_600_000} hours after the end of the session. Record another session.`,
  not_encoded:
    'No video could be made of the pictures. Record another session; if that fails too, tell the operator of this gateway.',
  no_room:
    'The video did not fit into your quota of files any more. Delete files with files/delete, and record another session.',
} as const

export type RecordingFailure = keyof typeof recordingFailures

/** There is no video of this session, and there will be none. */
export class NoVideo extends Error {
  readonly failure: RecordingFailure

  constructor(failure: RecordingFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}
