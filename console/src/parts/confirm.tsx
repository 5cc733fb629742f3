import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useWork } from '../load.ts'
import { Problem } from './notices.tsx'

/** A button that asks once before it does what cannot be undone. */
export function ConfirmButton({
  label,
  question,
  confirm,
  work,
  children,
}: {
  label: string
  question: string
  /** What the deciding button says: `Revoke the key`. */
  confirm: string
  work: () => Promise<void>
  /** Further fields of the question. */
  children?: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { isBusy, error, start } = useWork(async () => {
    await work()
    dialog.current?.close()
  })
  return (
    <>
      <button type="button" class="dangerous" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={question}>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            start()
          }}
        >
          <p>{question}</p>
          {children}
          <Problem error={error} />
          <div class="bar start">
            <button type="submit" class="main dangerous" disabled={isBusy}>
              {confirm}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Keep
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
