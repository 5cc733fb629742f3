// Splits an intent into goals that are done one after the other.

import { readValues } from '../../values/read-values.ts'
import { blank } from '../../values/said-value.ts'
import { readSlots } from './slots.ts'

const goalsMax = 6
const goalCharactersMin = 4

/** `und lies danach`: the word for the order stands behind the verb. */
const germanOrder = /\s+und\s+(\p{Ll}+)\s+(?:danach|dann|anschließend)\s+/giu

const verbs =
  'summari[sz]e|read|find|get|check|verify|send|translate|extract|save|store|render|fetch|download|upload|screenshot|scrape|enrich|turn|create|generate|open|look up|email|mail|fax|transcribe|edit|search|index|list|show|run|execute|terminate|close|stop|delete|destroy|animate|compare|import|lies|suche|hole|prüfe'
/** A sentence is a goal of its own if it begins like a request. Others say more about the one before them. */
const furtherSentence = new RegExp(
  String.raw`(?:[.!?;]\s+|\s*\n\s*)(?:[-*•]\s+|\d[.)]\s+)?(?=(?:(?:please|and|also|now|next|second(?:ly)?|bitte|can you|could you)[, ]\s*)*(?:${verbs})\b)`,
  'iu',
)

/** Words that put one goal after another. */
const ordering =
  /(?:\s*(?:→|->|=>)\s*|,?\s+(?:and\s+)?(?:then|afterwards|after that|finally|puis|ensuite|dann|danach|luego|después)\b[,:]?\s+|,?\s+and\s+after(?=\s+(?:open|read|get|find|send|show|look|check|verify)\b)|,?\s+(?:and\s+)?(?:(?:at the )?same (?:time|moment)|in parallel|as well as|meanwhile)\s+|,\s+(?:and\s+)?if\s+(?:so|yes|valid|(?:it|that|this)[^,]{2,40}?\b(?:good|valid|ok|fine|exists|available|works))\b,?\s*(?:then\s+)?|,?\s*\b(?:step \d+|(?<!\p{L}\()\d\))[:.]?\s+)/iu

/** A further imperative: `find the page and read it`. Behind a comma alone, only with what it is about. */
const imperative = new RegExp(
  String.raw`,?\s+(?:and|und|et|y)\s+(?:then\s+)?(?=(?:${verbs})\b)|(?<!\b(?:extract|fields|columns)\b.*),\s+and\s+(?=(?:the|its|their|his|her|for the first|look)\s+\S+\s+\S+)|\s+and\s+(?=(?:his|her|their|its)\s+\S+\s+\S+)|,\s+(?=(?:${verbs})\s+(?:it|its|them|their|his|her|the|this|that|those)\b|(?:run|execute|terminate|verify|check)\s)`,
  'i',
)

/** It tells how to do what stands before it: `order newest first`, `ceiling 30 cents`. */
const settingWords =
  /^(?:order|sort|sorted|by|with|at|most|in|only|please|ceiling|budget|max|maximum|limit|no|more|than|up|to|cost|cents?|and|the|it|should|must|be|dollars?|usd|c|ct)$/i

function isSetting(text: string, today: string): boolean {
  const { values } = readValues(text, today)
  const left = blank(text, values).match(/\p{L}+/gu) ?? []
  const hasValue = values.length > 0 || /\d\s*(?:c|ct|cents?|¢|\$)|\$\s?\d/i.test(text)
  return hasValue && left.every((word) => settingWords.test(word))
}

const readsPage =
  /^(?:(?:please|can you|could you)\s+)?(?:read|open|fetch|load|visit|go to|scrape|take|lies|öffne)\b[\s\S]*https?:\/\//i
/** It asks for a part of what the goal before it names. */
const ofPerson =
  /^(?:get|find|give me|show|and)?\s*(?:his|her|their)\s(?:\S+\s)?(?:e-?mails?|mails?|phone|number|address|contact)/i
const tellsWhat = /^(?:extract|give|return|pull|list|answer|tell|get|show)\b/i

export function splitGoals(intent: string): readonly string[] {
  const parts = intent
    .replaceAll(germanOrder, '; $1 ')
    .split(furtherSentence)
    .flatMap((part) => part.split(ordering))
    .flatMap((part) => part.split(imperative))
    .map((goal) => goal.trim())
    .filter((goal) => goal.length >= goalCharactersMin)
  const goals: string[] = []
  for (const part of parts) {
    const before = goals.at(-1)
    const belongs =
      before !== undefined &&
      (isSetting(part, anyDay) ||
        (ofPerson.test(part) && readSlots(before).has('person')) ||
        (readsPage.test(before) && tellsWhat.test(part) && !/https?:/.test(part)))
    if (belongs) goals[goals.length - 1] = `${before}, ${part}`
    else goals.push(part)
  }
  return goals.slice(0, goalsMax)
}

/** Where only the kinds of values count. */
const anyDay = '2026-01-01'

/** Words for what an earlier step finds. */
const pronouns =
  /(?<!\p{L})(?:it|them|its|their|his|her|those|these|the (?:\p{L}+ )?(?:first|second|third|best|top|newest|latest)|(?:first|best|newest) (?:one|hit|result|record)|the same (?:topic|subject|question|query|company|person)|(?:d(?:en|as|ie) )(?:besten|beste|ersten|erste|neuesten|neueste)n? \p{L}+|ihn|sie|davon|celui-ci|celle-ci|\p{L}+-l(?:e|a|es)|\p{L}+(?:ar|er|ir)l[oa]s?|eso|isso)(?!\p{L})|它|それ/iu

/** It says what to do with what an earlier goal finds: `verify it`, `open the first one`. */
export const refersBack = (goal: string): boolean => pronouns.test(goal)

/** It is about what an earlier goal names: `papers on the same topic`, `the article about her`. */
export const borrowsTopic = (goal: string): boolean =>
  /\b(?:the )?same (?:topic|subject|question|query|words|company|person)\b|\babout (?:it|him|her|them|this|that)\b/i.test(
    goal,
  )
