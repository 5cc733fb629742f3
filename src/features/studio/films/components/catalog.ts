// Everything that a composition can name besides media.
import { components } from './cards.ts'
import type { Drawing } from './drawing.ts'
import { type EffectPrimitive, effects } from './effects.ts'
import { overlays } from './overlays.ts'

const byId = <Named extends { readonly id: string }>(named: readonly Named[]) =>
  new Map(named.map((each) => [each.id, each]))

export const componentsById: ReadonlyMap<string, Drawing> = byId(components)
export const overlaysById: ReadonlyMap<string, Drawing> = byId(overlays)
export const effectsById: ReadonlyMap<string, EffectPrimitive> = byId(effects)
