// Runs in the browser. A form with passkey options asks the browser for a passkey, and sends it in the field `passkey`.
// Without a script, or in a browser that cannot read the options, the form stays hidden.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) continue
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    const status = form.querySelector('[role=status]')
    button.disabled = true
    status.textContent = ''
    try {
      const options = JSON.parse(form.dataset.options)
      const passkey =
        form.dataset.passkey === 'create'
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
            })
      form.elements.passkey.value = JSON.stringify(passkey)
      form.submit()
    } catch (error) {
      button.disabled = false
      status.textContent =
        error.name === 'InvalidStateError'
          ? 'This device has a passkey of the account already.'
          : 'The browser gave no passkey. Try again, or use another way.'
    }
  })
}
