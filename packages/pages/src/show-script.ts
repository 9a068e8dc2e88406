/** Adds a button that shows a masked field. Without scripts there is no button. The content security policy allows it by hash. */
export const SHOW_SCRIPT = `
for (const field of document.querySelectorAll('input[data-show]')) {
  const button = document.querySelector('#show').content.firstElementChild.cloneNode(true)
  const label = button.querySelector('span')
  const turn = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    label.textContent = isShown ? field.dataset.hide : field.dataset.show
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.addEventListener('click', () => turn(field.type === 'password'))
  field.form.addEventListener('submit', () => turn(false))
  const box = document.createElement('div')
  box.className = 'shows'
  field.replaceWith(box)
  box.append(field, button)
}
`
