/** Birth dates over half a century. */
export const BIRTH_DATES = Array.from({ length: 18_000 }, (_, day) =>
  new Date(Date.UTC(1955, 0, 1 + day)).toISOString().slice(0, 10),
)

export const NAMES =
  `Alma Boris Carla Diego Edith Farid Greta Hugo Irma Jonas Katya Luis Mona Nadim Olga Pedro Quinn Rosa Samir Tilda
  Uma Viktor Wanda Xenia Yusuf Zora Anton Bianca Cyrus Dalia Emil Flora Gavin Hanna Igor Jolene Kofi Leila Milan Nora Oscar Paula
  Rafael Selma Tariq Ursula Vera Walter Ximena Yara Zeno Amir Beata Conrad Dina Elias Frida Goran Helga Ivan Judith Karim Lotte Marek`.split(
    /\s+/,
  )
