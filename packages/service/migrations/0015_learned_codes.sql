-- Codes that operators remembered when they assigned a report. Catalog files neither list nor remove them.
alter table laboratory_codes
  add column origin text collate "C" not null default 'catalog' check (origin in ('catalog', 'learned'));
