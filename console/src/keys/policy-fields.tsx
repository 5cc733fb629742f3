import { TextField } from '../parts/field.tsx'
import { amounts, type PolicyTexts, problemsOf, rates } from './policy.ts'

const amountLabels = {
  call: 'Most per call, in $',
  day: 'Most per day, in $',
  month: 'Most per month, in $',
}

const rateLabels = { requests: 'Calls per minute', tokens: 'Tokens of chats per minute' }

/** The fields of a key's limits. */
export function PolicyFields({
  texts,
  change,
  isNamed = true,
}: {
  texts: PolicyTexts
  change: (texts: PolicyTexts) => void
  /** An app chooses its own name. */
  isNamed?: boolean
}) {
  const set = (part: Partial<PolicyTexts>) => change({ ...texts, ...part })
  const problems = problemsOf(texts)
  return (
    <>
      <div class="filters">
        {isNamed && <TextField label="Name" value={texts.name} change={(name) => set({ name })} />}
        {amounts.map((each) => (
          <TextField
            key={each}
            label={amountLabels[each]}
            value={texts[each]}
            change={(text) => set({ [each]: text })}
            problem={problems[each]}
          />
        ))}
        {rates.map((each) => (
          <TextField
            key={each}
            label={rateLabels[each]}
            value={texts[each]}
            change={(text) => set({ [each]: text })}
            problem={problems[each]}
          />
        ))}
      </div>
      <TextField
        label="Ends"
        type="datetime-local"
        value={texts.expires}
        change={(expires) => set({ expires })}
      />
      <TextField
        label="Actions"
        about="Names such as tollway/onescrape or files/*, with spaces between them. Empty: all."
        value={texts.actions}
        change={(actions) => set({ actions })}
      />
      <TextField
        label="Language models"
        about="Names such as tollway/cheap or openai/*, with spaces between them. Empty: all."
        value={texts.models}
        change={(models) => set({ models })}
      />
    </>
  )
}
