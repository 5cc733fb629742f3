// Splits an intent into goals that are done one after the other.

import type { IntentSlots } from './slots.ts'

const goalsMax = 6
const goalCharactersMin = 4

/** Words that put one goal after another. */
const ordering =
  /(?:[;\n]+|[.!?]\s+(?=\p{L})|\s*(?:→|->|=>)\s*|,?\s+(?:and\s+)?(?:then|afterwards|after that|finally|puis|ensuite|dann|danach|luego|después)\b[,:]?\s+|,?\s*\b(?:step \d+|(?<!\p{L}\()\d\))[:.]?\s+)/iu

/** A further imperative: `find the page and read it`. */
const imperative =
  /,?\s+(?:and|und|et|y)\s+(?=(?:summari[sz]e|read|find|get|check|verify|send|translate|extract|save|store|render|fetch|download|upload|screenshot|scrape|enrich|turn|create|generate|open|look up|email|mail|fax|transcribe|edit)\b)/i

export function splitGoals(intent: string): readonly string[] {
  return intent
    .split(ordering)
    .flatMap((part) => part.split(imperative))
    .map((goal) => goal.trim())
    .filter((goal) => goal.length >= goalCharactersMin)
    .slice(0, goalsMax)
}

/** Words for what an earlier step finds. */
const pronouns =
  /(?<!\p{L})(?:it|them|its|those|these|ihn|sie|davon|celui-ci|celle-ci|\p{L}+-l(?:e|a|es)|\p{L}+(?:ar|er|ir)l[oa]s?|eso|isso)(?!\p{L})|它|それ/iu

/** It names nothing itself, and asks for something to be done with what an earlier goal finds: `verify it`. */
export const pointsBack = (goal: string, named: IntentSlots): boolean =>
  pronouns.test(goal) && [...named.keys()].every((kind) => kind === 'subject')
