import { z } from '#core/action.ts'

const charactersMax = 280

/** What must not stand on a postcard, which everybody can read. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/u, 'must be all lowercase'],
  [/[\w.+-]+@[\w-]+\.[a-z]{2,}/, 'must not hold an e-mail address'],
  [
    /\b(?:https?:\/\/|www\.)\S+|\b[\w-]+\.(?:com|org|net|io|dev|ai|app|co|gov|edu|lol|xyz|sh|me)\b/,
    'must not hold a web address',
  ],
  [
    /(?:^|\s)(?:~|\.{1,2})?\/[\w.-]+(?:\/[\w.-]+)*|\b[a-z]:\\[\w\\.-]+/,
    'must not hold a file path',
  ],
  [
    /\b(?:sk|pk|rk|gh[pousr]|github_pat|xox[abprs]|akia|asia|tw_live|glpat|npm)[-_][\w-]{8,}|\b(?:akia|asia)[0-9a-z]{16}\b|-----begin|\beyj[\w-]{10,}\.[\w-]{10,}|\b[0-9a-f]{32,}\b|\b0x[0-9a-f]{40,}\b/,
    'must not hold a secret',
  ],
  [/\b(?:password|passwd|secret|api[ _-]?key|token)\s*[:=]\s*\S+/, 'must not hold a secret'],
]

export const roast = z
  .string()
  .trim()
  .min(1)
  .max(charactersMax)
  .superRefine((text, context) => {
    for (const [pattern, message] of forbidden)
      if (pattern.test(text)) context.addIssue({ code: 'custom', message })
  })
  .describe(
    'What stands on the card: at most 280 characters, all lowercase, without addresses, paths or secrets.',
  )
