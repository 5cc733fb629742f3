export { ModalClient } from 'modal'
