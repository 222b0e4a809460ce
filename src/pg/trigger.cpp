// See trigger.h.
#include "pg/trigger.h"

extern "C" {
#include "commands/trigger.h"
}

namespace memory::pg {

TriggerRow::TriggerRow(const Arguments &arguments) {
    const Node *context = arguments.raw()->context;
    const auto *trigger = reinterpret_cast<const TriggerData *>(context);
    if (context == nullptr || !IsA(context, TriggerData) ||
        !TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
        throw Error(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
                    "this function can only be called by a row trigger");
    row_ = trigger->tg_newtuple != nullptr ? trigger->tg_newtuple : trigger->tg_trigtuple;
    shape_ = RelationGetDescr(trigger->tg_relation);
}

std::optional<Datum> TriggerRow::value(const char *column) const {
    bool null = false;
    const int number = SPI_fnumber(shape_, column);
    if (number <= 0)
        throw Error(ERRCODE_UNDEFINED_COLUMN, "column \"%s\" is missing", column);
    const Datum value = call([&] { return column_value(row_, number, shape_, &null); });
    return null ? std::nullopt : std::optional<Datum>(value);
}

std::optional<std::string_view> TriggerRow::text(const char *column) const {
    const std::optional<Datum> found = value(column);
    return found ? std::optional<std::string_view>(text_view(*found)) : std::nullopt;
}

} // namespace memory::pg
