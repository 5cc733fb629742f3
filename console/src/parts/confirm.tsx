import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWork } from '../load.ts'
import { Foreign, visible } from './foreign.tsx'
import { Form } from './form.tsx'
import { type OperatorRoute, Reason, useRefusal } from './role.tsx'

export interface Question {
  question: string
  /** What the deciding button says: `Revoke the key`. */
  confirm: string
  /** What the other button says. */
  leave?: string
  /** Whether it cannot be undone. */
  isDangerous?: boolean
  work: () => Promise<void>
  /** Further fields of the question. */
  children?: ComponentChildren
}

/** The name of one of many buttons with the same label. */
export const nameOf = (label: string, of: string | undefined) =>
  of === undefined ? undefined : `${label}: ${of}`

/** A button that asks once before it does what cannot be undone, or for what it needs. */
export function ConfirmButton({
  label,
  of,
  opened,
  isBusy: isOff = false,
  needs,
  ...question
}: Question & {
  label: string
  /** What it is done to, in a list of such buttons. Screen readers read it after the label. */
  of?: string | undefined
  /** Whether it is being done already. The button stays, and with it the focus. */
  isBusy?: boolean
  /** The route of the operator that it asks for. */
  needs?: OperatorRoute | undefined
  /** Called before the question is shown. */
  opened?: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal(needs)
  const isDisabled = isOff || refusal !== undefined
  const open = () => {
    opened?.()
    setOpen(true)
  }
  return (
    <>
      <button
        type="button"
        class={question.isDangerous === false ? '' : 'dangerous'}
        aria-label={nameOf(label, of)}
        aria-disabled={isDisabled}
        onClick={isDisabled ? undefined : open}
        {...refusal?.control}
      >
        {label}
      </button>
      <Reason of={refusal} isUnseen />
      {isOpen && <QuestionDialog {...question} closed={() => setOpen(false)} />}
    </>
  )
}

/** A question over the page. It opens with the focus away from the deciding button: a key for the page does nothing. */
export function QuestionDialog({
  question,
  confirm,
  leave = 'Cancel',
  isDangerous = true,
  work,
  children,
  closed,
}: Question & { closed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const leaving = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    dialog.current?.showModal()
    if (children === undefined) leaving.current?.focus()
  }, [])
  // The browser returns the focus to the button when the dialog is closed, so it is closed before it goes.
  const close = () => dialog.current?.close()
  const answer = useWork(async () => {
    await work()
    close()
  })
  return (
    <dialog ref={dialog} aria-label={visible(question)} onClose={closed}>
      <Form
        of={answer}
        submit={confirm}
        kind={isDangerous ? 'main dangerous' : 'main'}
        beside={
          <button type="button" ref={leaving} onClick={close}>
            {leave}
          </button>
        }
      >
        <p>
          <Foreign text={question} />
        </p>
        {children}
      </Form>
    </dialog>
  )
}
