-- Asks everything of an open house rule that a person would, and writes the answers as JSON to $ANSWERS.
local answers = {}
local SOON = 60000 -- milliseconds until an answer is said not to come

local function until_true(what, done)
  assert(vim.wait(SOON, done, 20), "no " .. what)
end

local function find(text, within)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at and (not within or line:find(within, 1, true)) then
      vim.api.nvim_win_set_cursor(0, { number, at - 1 })
      return
    end
  end
  error("there is no " .. text)
end

local function ask(method, params)
  local all = assert(vim.lsp.buf_request_sync(0, method, params or vim.lsp.util.make_position_params(), SOON), method)
  local _, answer = next(all)
  assert(answer and not answer.err, method)
  return answer.result
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\n") .. "\n"
end

local function diagnosed(number)
  until_true(number .. " diagnostics", function() return #vim.diagnostic.get(0) == number end)
  return vim.tbl_map(function(one) return { one.lnum + 1, one.code or vim.tbl_get(one, "user_data", "lsp", "code"), one.message } end, vim.diagnostic.get(0))
end

local function drive()
  until_true("client", function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
  answers.diagnostics = diagnosed(1)
  find("taken[me]")
  answers.hover = ask("textDocument/hover").contents.value
  find("(taken[me]")
  vim.api.nvim_win_set_cursor(0, { vim.fn.line("."), vim.fn.col(".") })
  answers.completion = vim.tbl_map(function(one) return one.label end, ask("textDocument/completion").items)

  local mine = vim.api.nvim_get_current_buf()
  find("taken[me]")
  vim.lsp.buf.definition()
  until_true("definition", function() return vim.api.nvim_get_current_buf() ~= mine end)
  answers.definition = { vim.fn.fnamemodify(vim.fn.bufname(), ":t"), vim.fn.getline("."), vim.bo.readonly, vim.bo.modifiable }
  vim.api.nvim_set_current_buf(mine)

  find("coutn")
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics() }
  local fix = assert(ask("textDocument/codeAction", params)[1], "no fix")
  answers.fix = fix.title
  vim.lsp.util.apply_workspace_edit(fix.edit, "utf-16")
  diagnosed(0)
  answers.fixed = text()
  local before = text()
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = SOON })
  else
    vim.lsp.buf.formatting_sync(nil, SOON)
  end
  answers.formatted = { before, text() }

  vim.cmd("edit! " .. vim.env.OWN)
  answers.own = { vim.bo.readonly, vim.bo.modifiable }
  vim.cmd("edit! " .. vim.env.OURS)
  diagnosed(0)
  vim.cmd("edit! " .. vim.env.OWN)
  diagnosed(0)
  find("most: 3")
  vim.lsp.buf.rename("limit")
  until_true("renamed file", function() return text():find("limit: 3", 1, true) end)
  vim.cmd("silent wall")
  answers.renamed = true
  vim.cmd("edit! " .. vim.env.OTHER)
  vim.wait(300)
  answers.other = vim.tbl_count(vim.lsp.buf_get_clients(0))
end

local good, wrong = xpcall(drive, debug.traceback)
if not good then
  answers.wrong = wrong
end
vim.fn.writefile({ vim.fn.json_encode(answers) }, vim.env.ANSWERS)
vim.cmd("qall!")
