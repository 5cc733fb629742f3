// Every payment rail of this gateway, in the order in which they are offered. A new rail is its folder and a line here.
import type { RailDefinition } from './definition.ts'
import { mpp } from './mpp/definition.ts'
import { x402 } from './x402/definition.ts'

export const paymentRails: readonly RailDefinition[] = [x402, mpp]
