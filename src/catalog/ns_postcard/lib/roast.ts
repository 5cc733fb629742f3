import { z } from '#core/action.ts'

const charactersMax = 280

/** Texts that must not be on a postcard, because a postcard is not private. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/u, 'must be all lowercase'],
  [/[\w.+-]+@[\w-]+\.[a-z]{2,}/, 'must not hold an e-mail address'],
  [/\b[a-z][a-z0-9+.-]*:\/\/\S|\bwww\./, 'must not hold a web address'],
  // Top-level domains that are not also words, since a word may follow a full stop without a space.
  [
    /\b[\w-]+\.(?:com|org|net|info|biz|io|dev|ai|app|co|gov|edu|lol|xyz|sh|me|ly|tv|gg|cc|eu|uk|de|fr|ch|es|nl|pl|se|dk|fi|pt|jp|cn|au|ca|br|ru)\b/,
    'must not hold a web address',
  ],
  [
    /\b(?:[a-z0-9-]+\.)+[a-z]{2,}[/:]\w|\blocalhost:\d|\b\d{1,3}(?:\.\d{1,3}){3}\b/,
    'must not hold a web address',
  ],
  [
    /(?:^|\s)(?:~|\.{1,2})?\/[\w.-]+|\b[a-z]:\\\w|\\\\\w+\\|[\w-]\/[\w-]+\.[a-z][a-z0-9]{0,4}\b/,
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
