// The surface of Anthropic's Messages API.
import { modelActions } from '#core/model-router.ts'
import type { Surface } from '../surface.ts'
import { messagesPassThrough } from './pass-through.ts'
import { readMessagesRequest } from './request.ts'
import { keepAlive, openMessageWriter } from './writer.ts'

export const messagesSurface: Surface = {
  action: modelActions.messages,
  readRequest: readMessagesRequest,
  openWriter: openMessageWriter,
  keepAlive,
  argumentsAreJson: true,
  passThrough: messagesPassThrough,
}
