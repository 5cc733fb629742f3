// Fields that several actions of indexes share.
import { z } from '#core/action.ts'

export const indexId = z.uuid()
