import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { en, type Words } from './en.ts'

export type { Words }

export const LANGUAGES = { en: 'English', es: 'Español' } as const
export type Language = keyof typeof LANGUAGES

const KEY = 'ots.language'

interface Speech {
  words: Words
  language: Language
  choose: (language: Language) => void
}

const Speech = createContext<Speech>({ words: en, language: 'en', choose: () => undefined })

export const useWords = (): Words => useContext(Speech).words
export const useLanguage = (): Speech => useContext(Speech)

/** English comes with the console; other languages are loaded when they are chosen. */
export function Speaks({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(preferred)
  const [words, setWords] = useState<Words>(en)
  useEffect(() => {
    let isCurrent = true
    void wordsOf(language).then((loaded) => {
      if (!isCurrent) return
      setWords(loaded)
      document.documentElement.lang = language
    })
    return () => {
      isCurrent = false
    }
  }, [language])
  const speech = useMemo(
    () => ({
      words,
      language,
      choose: (chosen: Language) => {
        localStorage.setItem(KEY, chosen)
        setLanguage(chosen)
      },
    }),
    [words, language],
  )
  return <Speech value={speech}>{children}</Speech>
}

async function wordsOf(language: Language): Promise<Words> {
  return language === 'es' ? (await import('./es.ts')).es : en
}

function preferred(): Language {
  const chosen = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2)
  return chosen === 'es' ? 'es' : 'en'
}
