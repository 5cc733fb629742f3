import { Field } from '../parts/field.tsx'
import type { FormField, Texts } from './schema.ts'

interface FormProps {
  readonly fields: readonly FormField[]
  readonly texts: Texts
  readonly problems: Readonly<Record<string, string>>
  readonly change: (texts: Texts) => void
}

/** The fields of an action's input. Optional ones that are empty stand behind a summary. */
export function SchemaForm({ fields, texts, problems, change }: FormProps) {
  const show = (field: FormField) => (
    <FieldOf
      key={field.name}
      field={field}
      text={texts[field.name] ?? ''}
      problem={problems[field.name]}
      change={(text) => change({ ...texts, [field.name]: text })}
    />
  )
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields.filter(({ isRequired }) => !isRequired)
  if (required.length === 0) return <>{optional.map(show)}</>
  return (
    <>
      {required.map(show)}
      {optional.length > 0 && (
        <details>
          <summary>{optional.length} optional fields</summary>
          <div class="stack">{optional.map(show)}</div>
        </details>
      )}
    </>
  )
}

interface FieldOfProps {
  readonly field: FormField
  readonly text: string
  readonly problem: string | undefined
  readonly change: (text: string) => void
}

function FieldOf({ field, text, problem, change }: FieldOfProps) {
  const { name, about, kind, fallback } = field
  if (kind === 'choices') return <ChoicesField {...{ field, text, change }} />
  const hints = [about, kind === 'list' ? 'One per line.' : '', fallback && `Default: ${fallback}`]
  return (
    <Field label={name} about={hints.filter(Boolean).join(' ')} problem={problem}>
      {(control) => <Control {...{ field, text, change, control }} />}
    </Field>
  )
}

function Control({
  field: { kind, choices, isRequired },
  text,
  change,
  control,
}: Omit<FieldOfProps, 'problem'> & { readonly control: object }) {
  const onInput = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value)
  if (kind === 'choice' || kind === 'boolean') {
    const options = kind === 'boolean' ? ['true', 'false'] : choices
    return (
      <select {...control} value={text} onInput={onInput}>
        <option value="">{isRequired ? 'Choose …' : 'Default'}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {kind === 'boolean' ? (option === 'true' ? 'Yes' : 'No') : option}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'long text' || kind === 'list' || kind === 'value') {
    const rows = Math.min(10, Math.max(2, text.split('\n').length))
    return <textarea {...control} rows={rows} value={text} spellcheck={false} onInput={onInput} />
  }
  const isNumber = kind === 'integer' || kind === 'number'
  return (
    <input
      {...control}
      value={text}
      autoComplete="off"
      inputMode={isNumber ? (kind === 'integer' ? 'numeric' : 'decimal') : 'text'}
      onInput={onInput}
    />
  )
}

function ChoicesField({
  field: { name, about, choices },
  text,
  change,
}: Omit<FieldOfProps, 'problem'>) {
  const chosen = new Set(text.split('\n').filter((line) => line !== ''))
  const toggle = (choice: string) =>
    change(choices.filter((each) => chosen.has(each) !== (each === choice)).join('\n'))
  return (
    <fieldset>
      <legend class="label">{name}</legend>
      {about && <small>{about}</small>}
      {choices.map((choice) => (
        <label class="check" key={choice}>
          <input type="checkbox" checked={chosen.has(choice)} onInput={() => toggle(choice)} />
          {choice}
        </label>
      ))}
    </fieldset>
  )
}
