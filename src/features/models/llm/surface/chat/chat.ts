// The chat surface, in the common chat-completions format.
import { modelActions } from '#core/model-router.ts'
import type { Surface } from '../surface.ts'
import { chatPassThrough } from './pass-through.ts'
import { readChatRequest } from './request.ts'
import { openChatWriter } from './writer.ts'

export const chatSurface: Surface = {
  action: modelActions.chat,
  readRequest: readChatRequest,
  openWriter: openChatWriter,
  keepAlive: ': keep-alive\n\n',
  passThrough: chatPassThrough,
}
