// The wall of faults on each surface, before models of the vendors' own formats.
import { systemClock } from '#platform/clock.ts'
import { shareLlmGateway } from '#test/llm-gateway.ts'
import { describeWall, wallTimeouts } from '#test/models/wall.ts'

let aheadMs = 0
const clock = { ...systemClock, now: () => Date.now() + aheadMs }
const tiers = {
  cheap: ['claude/one', 'gemini/two'],
  mid: ['answers/one', 'claude/two'],
  best: ['gemini/one', 'answers/two'],
}
const shared = shareLlmGateway({ clock, config: { timeouts: wallTimeouts, tiers } })
const forget = (afterMs: number) => {
  aheadMs += afterMs
}

describeWall({ gateway: shared, forget }, [
  { format: 'anthropic', tier: 'tollway/cheap', one: 'claude/one', two: 'gemini/two' },
  { format: 'responses', tier: 'tollway/mid', one: 'answers/one', two: 'claude/two' },
  { format: 'gemini', tier: 'tollway/best', one: 'gemini/one', two: 'answers/two' },
])
