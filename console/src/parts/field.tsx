import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  about?: string | undefined
  problem?: string | undefined
  /** Receives what the control needs for its label and description. */
  children: (control: {
    id: string
    'aria-describedby'?: string
    'aria-invalid'?: true
  }) => ComponentChildren
}

/** A control with its label, what it is about, and what is wrong with it. */
export function Field({ label, about, problem, children }: FieldProps) {
  const id = useId()
  const described = [about && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {about && <small id={`${id}-about`}>{about}</small>}
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(problem ? { 'aria-invalid': true as const } : {}),
      })}
      {problem && (
        <small class="problem" id={`${id}-problem`}>
          {problem}
        </small>
      )}
    </div>
  )
}

export function TextField({
  value,
  change,
  type = 'text',
  placeholder,
  required,
  ...field
}: Omit<FieldProps, 'children'> & {
  value: string
  change: (value: string) => void
  type?: 'text' | 'search' | 'date' | 'datetime-local'
  placeholder?: string
  required?: boolean
}) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type as 'text'}
          value={value}
          placeholder={placeholder}
          required={required}
          autoComplete="off"
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function ChoiceField({
  value,
  change,
  choices,
  ...field
}: Omit<FieldProps, 'children'> & {
  value: string
  change: (value: string) => void
  /** What is chosen, and its label. */
  choices: readonly (readonly [string, string])[]
}) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onInput={(event) => change(event.currentTarget.value)}>
          {choices.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
