import { onContentUpdated } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { fillSamples } from './samples.js'
import { keepLanguage } from './languages.js'
// oxlint-disable-next-line import/no-unassigned-import -- how Vite takes styles
import './style.css'

export default {
  extends: DefaultTheme,
  setup() {
    onContentUpdated(() => {
      void fillSamples(document)
      keepLanguage(document)
    })
  },
}
