/** Buttons of which one is pressed. */
export function Choices<Name extends string>({
  label,
  names,
  chosen,
  choose,
}: {
  label: string
  names: readonly Name[]
  chosen: Name
  choose: (name: Name) => void
}) {
  return (
    <fieldset class="choices" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
